//! Programs as machine code: the same instructions, for random games.
//!
//! The code is made by Cranelift, for the machine at hand, once a game is played often enough to be worth it. A turn
//! is written out once for each mover, so that what hangs on him is a constant. Instructions and expressions that are
//! seldom needed are left to the interpreter. Where no machine code can be made, or it would be very long, all are.

mod call;
mod choice;
mod code;
mod condition;
mod instruction;
mod lanes;
mod memory;
mod men;
mod number;
mod seeds;
mod set;
mod turn;
mod words;

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicU32, Ordering},
};

use cranelift_codegen::{
    ir::{
        AbiParam, Signature, UserFuncName,
        types::{I32, I64},
    },
    isa::CallConv,
    settings::{self, Configurable as _},
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module as _, default_libcall_names};

use self::{
    call::{ASK, Context, Entries, HALTED, LIMIT, REFUSED, TURN_OVER},
    code::{Code, Frame},
    memory::Tables,
};
use super::run::{Halt, Run};
use crate::{
    ir::{Model, Op, Program},
    random::Streams,
    rules::MAX_MOVES,
    tree::{End, GameResult, Stop},
};

/// A program as machine code.
#[derive(Debug)]
pub(super) struct Native<M: Model> {
    entries: Entries,
    /// The numbers of all moves of a choice at most.
    room: usize,
    /// What the code reads, and points to.
    _tables: Tables,
    _program: Arc<Program<M>>,
}

/// How many games are interpreted before machine code is made: a few are over sooner than it is.
const PATIENCE: u32 = 16;

/// Machine code that is made when it is worth it.
#[derive(Debug)]
pub(super) struct Eventually<M: Model> {
    games: AtomicU32,
    code: OnceLock<Option<Native<M>>>,
}

impl<M: Model> Default for Eventually<M> {
    fn default() -> Self {
        Self { games: AtomicU32::new(0), code: OnceLock::new() }
    }
}

impl<M: Model> Eventually<M> {
    /// Machine code for one more game; nothing as long as there have been few, or where it cannot be made.
    pub(super) fn for_a_game(&self, program: &Arc<Program<M>>) -> Option<&Native<M>> {
        if self.code.get().is_none() && self.games.fetch_add(1, Ordering::Relaxed) < PATIENCE {
            return None;
        }
        self.at_once(program)
    }

    /// Machine code, if it can be made.
    pub(super) fn at_once(&self, program: &Arc<Program<M>>) -> Option<&Native<M>> {
        self.code.get_or_init(|| Native::new(program)).as_ref()
    }

    /// Machine code, if it has been made.
    pub(super) fn made(&self) -> Option<&Native<M>> {
        self.code.get()?.as_ref()
    }
}

impl<M: Model> Native<M> {
    /// Machine code for a program; nothing where this machine is not one that code can be made for.
    fn new(program: &Arc<Program<M>>) -> Option<Self> {
        // Positions without a fixed size are left to the interpreter.
        if !M::FIXED || cfg!(not(all(target_endian = "little", target_pointer_width = "64"))) {
            return None;
        }
        let mut flags = settings::builder();
        flags.set("opt_level", "speed").ok()?;
        flags.set("is_pic", "false").ok()?;
        flags.set("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }).ok()?;
        let isa = cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()?;
        let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let mut tables = Tables::default();
        let play = define(&mut module, program, &mut tables, false)?;
        let tries = program.code.iter().any(|op| match op {
            Op::Choose(choose) => choose.try_when.is_some(),
            Op::Pick(choice) => choice.choose.try_when.is_some(),
            _ => false,
        });
        let trial = if tries { Some(define(&mut module, program, &mut tables, true)?) } else { None };
        module.finalize_definitions().ok()?;
        let play = module.get_finalized_function(play);
        let trial = trial.map(|id| module.get_finalized_function(id));
        let parts = program.code.iter().map(|op| if let Op::Choose(choose) = op { choose.picks.len() } else { 0 });
        let room = MAX_MOVES * parts.max().unwrap_or(0);
        let entries = Entries::new(play, trial, module);
        Some(Self { entries, room, _tables: tables, _program: Arc::clone(program) })
    }

    /// Plays at random, from the node that is due, until so many turns are over.
    pub(super) fn play(&self, mut run: Run<'_, M>, streams: &mut Streams, max_turns: u32) -> Halt {
        let given = run.fuel;
        let mut context = Context::new(&mut run, streams, max_turns, self.room);
        let code = self.entries.play(&mut context);
        let halt = context.over();
        run.tally.steps += given - run.fuel;
        match code {
            // What was not looked at to the end does not count.
            _ if run.fuel == 0 => Halt::OutOfSteps,
            HALTED => halt.unwrap_or(Halt::OutOfSteps),
            ASK => run.run(),
            LIMIT => Halt::Over(End { result: GameResult::Stopped(Stop::Limit), ending: None }),
            _ => Halt::OutOfSteps,
        }
    }

    /// Goes on with a move that is only tried, to the end of its turn or the next node; nothing where there is no
    /// machine code for that.
    pub(super) fn try_out(&self, run: &mut Run<'_, M>) -> Option<Halt> {
        let mut context = Context::trying(run);
        let code = self.entries.try_out(&mut context)?;
        let halt = context.over();
        Some(match code {
            _ if run.fuel == 0 => Halt::OutOfSteps,
            HALTED => halt.unwrap_or(Halt::OutOfSteps),
            ASK => run.run(),
            TURN_OVER => Halt::TurnOver,
            REFUSED => Halt::Refused,
            _ => {
                run.fuel = 0;
                Halt::OutOfSteps
            }
        })
    }
}

/// Makes a function of a program, that plays or only tries a move.
fn define<M: Model>(module: &mut JITModule, program: &Program<M>, tables: &mut Tables, trial: bool) -> Option<FuncId> {
    let convention = module.isa().default_call_conv();
    let mut context = module.make_context();
    context.func.signature = signature(convention, 0, true);
    let id = module.declare_anonymous_function(&context.func.signature).ok()?;
    context.func.name = UserFuncName::user(0, id.as_u32());
    let mut memory = FunctionBuilderContext::new();
    let mut f = FunctionBuilder::new(&mut context.func, &mut memory);
    let signatures = (0..4).map(|n| f.import_signature(signature(convention, n, false))).collect();
    let mut code = Code::new(Frame { program, f, tables, signatures, trial });
    code.game();
    if code.is_too_long() {
        return None;
    }
    code.f.seal_all_blocks();
    code.f.finalize(module.target_config());
    module.define_function(id, &mut context).ok()?;
    Some(id)
}

/// What a function takes and gives: helpers take the context and so many words, and give one.
fn signature(convention: CallConv, arguments: usize, entry: bool) -> Signature {
    let mut signature = Signature::new(convention);
    signature.params.extend((0..=arguments).map(|_| AbiParam::new(I64)));
    signature.returns.push(AbiParam::new(if entry { I32 } else { I64 }));
    signature
}
