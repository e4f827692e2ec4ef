//! Plots as SVG, to stand inside a page.

use plotters::{coord::Shift, prelude::*};

/// Colours that people who see few of them tell apart too (M. Okabe and K. Ito, "Color Universal Design", 2002).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(60, 60, 60),
];
const GRID: RGBColor = RGBColor(225, 225, 225);
const INK: RGBColor = RGBColor(40, 40, 40);
const WIDTH: u32 = 860;

type Drawn = Result<(), Box<dyn std::error::Error>>;
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// A line of a plot.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) name: String,
    pub(super) points: Vec<(f64, f64)>,
    /// Marks instead of a line.
    pub(super) marks: bool,
    /// The number of its colour.
    pub(super) colour: usize,
}

/// What the axes of a plot of lines say.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axes {
    pub(super) x: &'static str,
    pub(super) y: &'static str,
    /// Whether the upper end is 100 per cent.
    pub(super) full: bool,
}

/// An estimate with its interval, in per cent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Estimate {
    pub(super) value: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// A row of estimates, one for each series.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) estimates: Vec<Estimate>,
}

pub(super) fn colour(n: usize) -> RGBColor {
    COLOURS.get(n % COLOURS.len()).copied().unwrap_or(BLACK)
}

/// The colour as CSS writes it.
pub(super) fn css(n: usize) -> String {
    let RGBColor(red, green, blue) = colour(n);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn svg(height: u32, draw: impl FnOnce(&Area<'_>) -> Drawn) -> String {
    let mut text = String::new();
    let drawn = {
        let area = SVGBackend::with_string(&mut text, (WIDTH, height)).into_drawing_area();
        draw(&area).and_then(|()| area.present().map_err(Into::into))
    };
    if drawn.is_err() {
        return String::new();
    }
    // It grows and shrinks with the page.
    let size = format!("<svg width=\"{WIDTH}\" height=\"{height}\"");
    text.replacen(&size, "<svg class=\"plot\"", 1)
}

/// Estimates with whiskers, a row of the page for each setup.
pub(super) fn whiskers(rows: &[Row], unit: &str) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let series = rows.iter().map(|row| row.estimates.len()).max().unwrap_or(0);
    let each = if rows.len() > 8 { 9 } else { 14 } * u32::try_from(series).unwrap_or(1).max(1) + 10;
    let height = each * u32::try_from(rows.len()).unwrap_or(1) + 50;
    let all = || rows.iter().flat_map(|row| &row.estimates);
    let least = all().map(|estimate| estimate.low).fold(0.0, f64::min);
    let most = all().map(|estimate| estimate.high).fold(1.0, f64::max);
    let (least, most) = (least * 1.03, (most * 1.03).min(100.0_f64.max(most)));
    svg(height, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(6)
            .margin_right(16)
            .x_label_area_size(34)
            .y_label_area_size(330)
            .build_cartesian_2d(least..most, 0.0..rows.len() as f64)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .max_light_lines(1)
            .y_labels(0)
            .light_line_style(GRID.mix(0.4))
            .bold_line_style(GRID)
            .axis_style(INK)
            .x_desc(unit)
            .label_style(("sans-serif", 13, &INK))
            .draw()?;
        if least < 0.0 {
            chart.draw_series([PathElement::new(vec![(0.0, 0.0), (0.0, rows.len() as f64)], INK)])?;
        }
        for (n, row) in rows.iter().enumerate() {
            let top = (rows.len() - n) as f64;
            chart.draw_series([PathElement::new(vec![(least, top - 1.0), (most, top - 1.0)], GRID)])?;
            let (left, y) = chart.backend_coord(&(least, top - 0.5));
            let style = TextStyle::from(("sans-serif", 13).into_font()).color(&INK).pos(
                plotters::style::text_anchor::Pos::new(
                    plotters::style::text_anchor::HPos::Right,
                    plotters::style::text_anchor::VPos::Center,
                ),
            );
            area.draw(&Text::new(shortened(&row.name), (left - 8, y), style))?;
            for (s, estimate) in row.estimates.iter().enumerate() {
                let y = top - (s as f64 + 0.8) / (series as f64 + 0.6);
                let ink = colour(s);
                chart.draw_series([PathElement::new(
                    vec![(estimate.low, y), (estimate.high, y)],
                    ink.stroke_width(2),
                )])?;
                chart.draw_series([Circle::new((estimate.value, y), 3, ink.filled())])?;
            }
        }
        Ok(())
    })
}

/// Lines over one axis.
pub(super) fn lines(lines: &[Line], axes: Axes) -> String {
    let all = || lines.iter().flat_map(|line| &line.points);
    let least = all().map(|point| point.0).fold(f64::INFINITY, f64::min);
    let right = all().map(|point| point.0).fold(f64::NEG_INFINITY, f64::max);
    let top = all().map(|point| point.1).fold(0.0, f64::max);
    let top = if axes.full { 100.0 } else { top * 1.05 };
    if right <= least || top <= 0.0 {
        return String::new();
    }
    svg(330, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .margin_right(16)
            .x_label_area_size(36)
            .y_label_area_size(58)
            .build_cartesian_2d(least..right, 0.0..top)?;
        chart
            .configure_mesh()
            .max_light_lines(1)
            .light_line_style(GRID.mix(0.4))
            .bold_line_style(GRID)
            .axis_style(INK)
            .x_desc(axes.x)
            .y_desc(axes.y)
            .x_label_formatter(&|x| format!("{}", (x * 100.0).round() / 100.0))
            .y_label_formatter(&|y| format!("{}", (y * 1000.0).round() / 1000.0))
            .label_style(("sans-serif", 13, &INK))
            .draw()?;
        for line in lines {
            let ink = colour(line.colour);
            if line.marks {
                chart.draw_series(line.points.iter().map(|point| Circle::new(*point, 4, ink.stroke_width(2))))?;
            } else {
                // The first is seen behind others that are the same.
                let width = if line.colour == 0 { 4 } else { 2 };
                let points = line.points.iter().copied();
                // Colours come again: with dashes.
                if line.colour >= COLOURS.len() {
                    chart.draw_series(DashedLineSeries::new(points, 6, 4, ink.stroke_width(width)))?;
                } else {
                    chart.draw_series(LineSeries::new(points, ink.stroke_width(width)))?;
                }
            }
        }
        Ok(())
    })
}

/// A name short enough to stand beside a plot.
fn shortened(name: &str) -> String {
    const MOST: usize = 52;
    if name.chars().count() <= MOST {
        return name.to_owned();
    }
    name.chars().take(MOST - 1).chain(['…']).collect()
}
