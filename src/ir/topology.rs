//! What never changes in a game: circuits, relations between sites, and the ways of men, as tables.

use super::{bits::Bits, op::Look};
use crate::rules::{Direction, Id as _, MAX_WALK, Place, Rules, SeatId, SiteId, SpotId, Way, Whose};

/// None.
pub(crate) const NONE: i32 = -1;

/// Tables of the board and of the ways of men. A cell is a site where seeds are sown, and a spot and state of
/// a player's man where men walk.
#[derive(Debug, Clone)]
pub(crate) struct Topology<B> {
    pub(crate) seats: usize,
    pub(crate) sites: usize,
    /// How many cells there are, and how many of them each player's men have.
    pub(crate) cells: usize,
    pub(crate) cells_each: usize,
    /// For each mover and direction, the site that follows each site.
    next: Vec<[Vec<i32>; 2]>,
    opposite: Vec<i32>,
    behind: Vec<i32>,
    owner: Vec<i32>,
    /// For each cell of men.
    player: Vec<u8>,
    square: Vec<i32>,
    steps_left: Vec<i32>,
    pub(crate) states: usize,
    /// The site of each player's store; none where there are no stores.
    pub(crate) stores: [i32; 4],
    /// The cells of a player's men who are home.
    pub(crate) home: [B; 4],
    /// The first cell of home, and of the taken men, of each player.
    pub(crate) home_cell: [i32; 4],
    pub(crate) out_cell: [i32; 4],
    /// The sites that are pits or squares.
    pub(crate) places: B,
    /// The cells of each site.
    cells_of: Vec<B>,
    /// Cells by the least steps they have still to go.
    with_steps_left: Vec<B>,
    /// The steps a man at each cell has travelled, for those on the board.
    pub(crate) travelled: Vec<i64>,
    ways: Vec<Spots>,
    /// Whether every spot leads to the one behind it: then a cell so many steps ahead is so many cells behind.
    straight: bool,
}

/// The way of a player: where each spot leads.
#[derive(Debug, Clone)]
struct Spots {
    /// What follows each spot.
    next: Vec<Vec<u16>>,
    /// Where no spot forks: the one that follows, or the same at the end.
    single: bool,
    site: Vec<i32>,
    /// Where a way forks: for each spot and number of steps, the spots in reach.
    reach: Vec<Vec<Vec<u16>>>,
}

impl<B: Bits> Topology<B> {
    pub(crate) fn new(rules: &Rules, walks: bool) -> Self {
        let board = &rules.board;
        let (seats, sites) = (rules.seats.len(), board.sites.len());
        let code = |site: Option<SiteId>| site.map_or(NONE, |site| site.index() as i32);
        let directions = [Direction::Counterclockwise, Direction::Clockwise];
        let circuit = |seat: SeatId, direction| {
            let next = |site| code(board.circuits.get(seat).and_then(|circuit| circuit.next(site, direction)));
            board.sites.ids().map(next).collect::<Vec<_>>()
        };
        let next = rules.seats.ids().map(|seat| directions.map(|direction| circuit(seat, direction))).collect();
        let states = usize::from(rules.states);
        let has_men = rules.men > 0;
        let spots = rules.ways.iter().map(|way| way.spots.len()).max().unwrap_or(0);
        let cells_each = if has_men { spots * states } else { 0 };
        let cells = if has_men { cells_each * seats } else { sites };
        let mut square = vec![NONE; if has_men { cells } else { 0 }];
        let mut steps_left = square.clone();
        let mut travelled = vec![0; square.len()];
        let (mut home, mut home_cell, mut out_cell) = ([B::NONE; 4], [NONE; 4], [NONE; 4]);
        for (seat, way) in rules.ways.entries().filter(|_| has_men) {
            let first = |spot: SpotId| seat.index() * cells_each + spot.index() * states;
            for (id, spot) in way.spots.entries() {
                for cell in first(id)..first(id) + states {
                    put(&mut square, cell, spot.site.index() as i32);
                    put(&mut steps_left, cell, i32::from(spot.left));
                    if Some(id) != way.out {
                        put(&mut travelled, cell, i64::from(spot.travelled));
                    }
                }
            }
            if let Some(spot) = way.home {
                put(&mut home, seat.index(), B::of(first(spot)..first(spot) + states));
                put(&mut home_cell, seat.index(), first(spot) as i32);
            }
            if let Some(spot) = way.out {
                put(&mut out_cell, seat.index(), first(spot) as i32);
            }
        }
        let longest = steps_left.iter().copied().filter(|left| *left < i32::from(u16::MAX)).max().unwrap_or(0);
        let at_least = |least: i32| B::of((0..cells).filter(|cell| steps_left.get(*cell).is_some_and(|l| *l >= least)));
        let with_steps_left = if has_men { (0..=longest + 1).map(at_least).collect() } else { vec![] };
        let mut stores = [NONE; 4];
        for (seat, site) in board.stores.entries() {
            put(&mut stores, seat.index(), site.index() as i32);
        }
        let ways = rules.ways.iter().filter(|_| has_men).map(|way| Spots::of(way, walks)).collect();
        let straight = has_men && ways_are_straight(rules);
        let player = (0..square.len()).map(|cell| (cell / cells_each.max(1)) as u8).collect();
        Self {
            seats,
            sites,
            cells,
            player,
            straight,
            cells_each,
            next,
            opposite: board.sites.iter().map(|site| code(site.opposite)).collect(),
            behind: board.sites.iter().map(|site| code(site.behind)).collect(),
            owner: board.sites.iter().map(|site| site.owner.map_or(NONE, |seat| seat.index() as i32)).collect(),
            steps_left,
            states,
            stores,
            home,
            home_cell,
            out_cell,
            places: B::of(board.places().map(|(site, _)| site.index())),
            cells_of: (0..sites)
                .map(|site| B::of((0..square.len()).filter(|cell| square.get(*cell) == Some(&(site as i32)))))
                .collect(),
            with_steps_left,
            travelled,
            square,
            ways,
        }
    }

    /// The site that follows on a mover's circuit.
    #[inline]
    pub(crate) fn next(&self, mover: usize, direction: i32, site: i32) -> i32 {
        let table = self.next.get(mover).and_then(|tables| tables.get(usize::from(direction != 0)));
        table.map_or(NONE, |table| look(table, site))
    }

    #[inline]
    pub(crate) fn look(&self, what: Look, code: i32) -> i32 {
        match what {
            Look::Opposite => look(&self.opposite, code),
            Look::Behind => look(&self.behind, code),
            Look::Owner => look(&self.owner, code),
            Look::Square => look(&self.square, code),
            Look::StepsLeft => look(&self.steps_left, code),
            Look::Player => usize::try_from(code).map_or(NONE, |cell| self.player(cell) as i32),
            Look::Start => usize::try_from(code)
                .map_or(NONE, |cell| look(&self.square, (self.player(cell) * self.cells_each) as i32)),
        }
    }

    /// Whose men stand on a cell.
    #[inline]
    pub(crate) fn player(&self, cell: usize) -> usize {
        self.player.get(cell).map_or(0, |player| usize::from(*player))
    }

    /// The square of a cell.
    #[inline]
    pub(crate) fn square(&self, cell: usize) -> usize {
        self.square.get(cell).map_or(0, |site| usize::try_from(*site).unwrap_or(0))
    }

    /// A cell of the same man in another state.
    pub(crate) fn in_state(&self, cell: usize, state: usize) -> usize {
        if self.states == 1 { cell } else { cell / self.states * self.states + state }
    }

    /// The cells of a square.
    #[inline]
    pub(crate) fn cells_of(&self, site: i32) -> B {
        usize::try_from(site).ok().and_then(|site| self.cells_of.get(site)).copied().unwrap_or(B::NONE)
    }

    /// The cells that have at least so many steps to go.
    #[inline]
    pub(crate) fn with_steps_left(&self, least: i32) -> B {
        let least = usize::try_from(least).unwrap_or(0);
        self.with_steps_left.get(least).or(self.with_steps_left.last()).copied().unwrap_or(B::NONE)
    }

    /// A player's cell as a spot and a state.
    fn spot(&self, cell: usize) -> (usize, usize, usize) {
        let player = self.player(cell);
        let own = cell - player * self.cells_each;
        (player, own / self.states, own % self.states)
    }

    fn cell(&self, player: usize, spot: usize, state: usize) -> usize {
        player * self.cells_each + spot * self.states + state
    }

    /// Calls with each square that so many steps can bring a man to.
    #[inline]
    pub(crate) fn reach(&self, cell: usize, steps: i32, mut found: impl FnMut(usize)) {
        if self.straight {
            if (0..=self.look(Look::StepsLeft, cell as i32).min(MAX_WALK)).contains(&steps) {
                found(self.square(cell + steps as usize * self.states));
            }
            return;
        }
        self.reach_on_forks(cell, steps, found);
    }

    fn reach_on_forks(&self, cell: usize, steps: i32, mut found: impl FnMut(usize)) {
        let (player, spot, _) = self.spot(cell);
        let Some(way) = self.ways.get(player) else { return };
        let Some(steps) = usize::try_from(steps).ok().filter(|_| steps <= MAX_WALK) else { return };
        let mut site = |spot: usize| found(way.site.get(spot).map_or(0, |site| usize::try_from(*site).unwrap_or(0)));
        if way.single {
            if let Some(end) = way.ahead(spot, steps) {
                site(end);
            }
        } else if let Some(ends) = way.reach.get(spot).and_then(|by_steps| by_steps.get(steps)) {
            for end in ends {
                site(usize::from(*end));
            }
        }
    }

    /// Walks a man so many steps, to a square where one is named, and gives the cell where he ends; each square that
    /// he treads is told. Nothing is trodden where no walk ends on that square.
    #[inline]
    pub(crate) fn walk(&self, cell: usize, steps: i32, goal: i32, mut tread: impl FnMut(usize)) -> usize {
        if self.straight && goal == NONE {
            let steps = steps.clamp(0, self.look(Look::StepsLeft, cell as i32).min(MAX_WALK)) as usize;
            for step in 1..=steps {
                tread(self.square(cell + step * self.states));
            }
            return self.at_home(cell + steps * self.states);
        }
        self.walk_to(cell, steps, goal, tread)
    }

    /// Whether every spot leads to the one behind it.
    pub(crate) fn is_straight(&self) -> bool {
        self.straight
    }

    /// The steps of the longest way, and one.
    pub(crate) fn longest_way(&self) -> i32 {
        self.with_steps_left.len() as i32 - 1
    }

    /// Men at home are alike, whatever they were.
    pub(crate) fn at_home(&self, cell: usize) -> usize {
        if self.states == 1 {
            return cell;
        }
        let home = self.home_cell.get(self.player(cell)).copied().unwrap_or(NONE);
        if self.in_state(cell, 0) as i32 == home { self.in_state(cell, 0) } else { cell }
    }

    fn walk_to(&self, cell: usize, steps: i32, goal: i32, mut tread: impl FnMut(usize)) -> usize {
        let (player, mut spot, state) = self.spot(cell);
        let Some(way) = self.ways.get(player) else { return cell };
        let steps = usize::try_from(steps.clamp(0, MAX_WALK)).unwrap_or(0);
        let ends = |spot: usize| goal == NONE || way.site.get(spot) == Some(&goal);
        let can_end = |from: usize, left: usize| {
            let all = way.reach.get(from).and_then(|by_steps| by_steps.get(left));
            all.is_some_and(|all| all.iter().any(|end| ends(usize::from(*end))))
        };
        if goal != NONE {
            let there = if way.single { way.ahead(spot, steps).is_some_and(ends) } else { can_end(spot, steps) };
            if !there {
                return cell;
            }
        }
        for left in (0..steps).rev() {
            let Some(next) = way.next.get(spot) else { break };
            let good = if way.single { None } else { next.iter().find(|next| can_end(usize::from(**next), left)) };
            let Some(next) = good.or(next.first()) else { break };
            spot = usize::from(*next);
            tread(way.site.get(spot).map_or(0, |site| usize::try_from(*site).unwrap_or(0)));
        }
        self.at_home(self.cell(player, spot, state))
    }

    /// For each acting player, the players who are this to him, as bits.
    pub(crate) fn seen_by(rules: &Rules, whose: Whose) -> [u8; 4] {
        let mut seen = [0; 4];
        for (actor, seats) in rules.seats.ids().zip(&mut seen) {
            for seat in rules.seats.ids() {
                let is = match whose {
                    Whose::All => true,
                    Whose::Own => seat == actor,
                    Whose::Friend => rules.partners(actor, seat),
                    Whose::Enemy => rules.side_of.at(seat) != rules.side_of.at(actor),
                };
                *seats |= u8::from(is) << seat.index();
            }
        }
        seen
    }

    /// The cells of men in the hand.
    pub(crate) fn waiting(&self, rules: &Rules) -> B {
        let in_hand = |cell: &usize| {
            let site = SiteId::new(self.square(*cell));
            rules.board.sites.get(site).is_some_and(|site| matches!(site.place, Place::Hand(_)))
        };
        B::of((0..self.cells).filter(in_hand))
    }
}

impl Spots {
    fn of(way: &Way, walks: bool) -> Self {
        let next: Vec<Vec<u16>> =
            way.spots.iter().map(|spot| spot.next.iter().map(|next| next.index() as u16).collect()).collect();
        let single = next.iter().all(|next| next.len() < 2);
        let steps = if single || !walks { 0 } else { MAX_WALK as usize + 1 };
        let by_steps = |spot: SpotId| {
            let mut here = vec![spot.index() as u16];
            let layer = |_| {
                let now = here.clone();
                let mut after: Vec<u16> =
                    here.iter().flat_map(|spot| next.get(usize::from(*spot)).cloned().unwrap_or_default()).collect();
                after.sort_unstable();
                after.dedup();
                here = after;
                now
            };
            (0..steps).map(layer).collect()
        };
        let reach = way.spots.ids().map(by_steps).collect();
        let site = way.spots.iter().map(|spot| spot.site.index() as i32).collect();
        Self { next, single, site, reach }
    }

    /// The spot so many steps ahead, where the way does not fork.
    fn ahead(&self, mut spot: usize, steps: usize) -> Option<usize> {
        for _ in 0..steps {
            spot = usize::from(*self.next.get(spot)?.first()?);
        }
        Some(spot)
    }
}

/// Whether every spot leads to the one behind it, or nowhere.
fn ways_are_straight(rules: &Rules) -> bool {
    rules.ways.iter().all(|way| {
        way.spots.entries().all(|(id, spot)| match spot.next.as_slice() {
            [] => true,
            [next] => next.index() == id.index() + 1,
            _ => false,
        })
    })
}

#[inline]
fn look(table: &[i32], code: i32) -> i32 {
    usize::try_from(code).ok().and_then(|code| table.get(code)).copied().unwrap_or(NONE)
}

fn put<T>(table: &mut [T], at: usize, value: T) {
    if let Some(slot) = table.get_mut(at) {
        *slot = value;
    }
}
