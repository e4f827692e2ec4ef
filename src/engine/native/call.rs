//! Where machine code and the rest meet: what it calls, and how it is called. This is the one place that is not held
//! by the compiler's proofs of memory.
//!
//! Machine code reads and writes a [`State`](super::super::state::State), steps, and counts of captures, at addresses
//! that are reckoned from the types themselves; every number that it adds to an address is one that verification found
//! in the program, or is cut to the size of the memory before. It runs only while the one who calls it has lent it the
//! whole game, and it lends the game on when it calls a helper.
#![expect(unsafe_code, reason = "machine code is called, and calls back")]

use std::ffi::c_int;

use cranelift_jit::JITModule;

use crate::{
    engine::{
        choose::once_each,
        run::{Halt, Run},
    },
    ir::{Choose, List, Model, Num, Op, Pc, Set, Test},
    random::{Stream, Streams},
    rules::{Id as _, ThrowId},
};

/// The game came to a halt that a helper has left in the context.
pub(super) const HALTED: i32 = 0;
/// The node that is due is to be looked at, or instructions that have no entry lead to the next one.
pub(super) const ASK: i32 = 1;
/// No steps are left.
pub(super) const OUT_OF_STEPS: i32 = 2;
/// The limit of turns is reached.
pub(super) const LIMIT: i32 = 3;
/// The turn of a move that is only tried is over, or what was chosen is refused.
pub(super) const TURN_OVER: i32 = 4;
pub(super) const REFUSED: i32 = 5;

/// What machine code works on.
pub(super) struct Context<'c, 'r, M: Model> {
    pub(super) run: &'c mut Run<'r, M>,
    /// The streams for throws, and of the first player; those of the others follow.
    pub(super) throws: *mut Stream,
    pub(super) players: *mut Stream,
    seats: usize,
    /// Room for so many numbers of the moves of a choice, and where the lists are from which its parts are chosen.
    room: usize,
    pub(super) moves: *mut i32,
    pub(super) lists: [*const i32; MOST_LISTS],
    /// Memory for the moves, and for each list.
    memory: [Vec<i32>; MOST_LISTS + 1],
    pub(super) max_turns: u32,
    pub(super) halt: Option<Halt>,
}

/// The most parts of a move for which machine code is made.
pub(super) const MOST_LISTS: usize = 4;

impl<'c, 'r, M: Model> Context<'c, 'r, M> {
    pub(super) fn new(run: &'c mut Run<'r, M>, streams: &'c mut Streams, max_turns: u32, room: usize) -> Self {
        let players = streams.players.as_mut_slice();
        // In memory that is used again.
        let mut memory: [Vec<i32>; MOST_LISTS + 1] =
            std::array::from_fn(|_| if room > 0 { run.scratch.pop().unwrap_or_default() } else { vec![] });
        let [moves, ..] = &mut memory;
        moves.clear();
        moves.reserve(room);
        Self {
            run,
            room,
            moves: moves.as_mut_ptr(),
            lists: [std::ptr::null(); MOST_LISTS],
            memory,
            throws: &raw mut streams.throws,
            seats: players.len(),
            players: players.as_mut_ptr(),
            max_turns,
            halt: None,
        }
    }

    /// Gives back the memory that was lent, and the halt at which the game is.
    pub(super) fn over(self) -> Option<Halt> {
        self.run.scratch.extend(self.memory.into_iter().filter(|memory| memory.capacity() > 0));
        self.halt
    }

    /// For a move that is only tried: nothing is drawn.
    pub(super) fn trying(run: &'c mut Run<'r, M>) -> Self {
        Self {
            run,
            throws: std::ptr::null_mut(),
            players: std::ptr::null_mut(),
            seats: 0,
            room: 0,
            moves: std::ptr::null_mut(),
            lists: [std::ptr::null(); MOST_LISTS],
            memory: Default::default(),
            max_turns: 0,
            halt: None,
        }
    }

    /// A random number below another, from the stream of a seat.
    fn draw(&mut self, seat: usize, moves: usize) -> usize {
        assert!(seat < self.seats, "a seat of the game");
        // SAFETY: the streams are borrowed for as long as this is, nobody else has them, and there is one for each seat.
        unsafe { &mut *self.players.add(seat) }.index(moves)
    }
}

/// An address as a number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Address(usize);

impl Address {
    pub(super) const NONE: Self = Self(0);

    pub(super) fn of<T>(pointer: *const T) -> Self {
        Self(pointer.expose_provenance())
    }

    pub(super) fn bits(self) -> i64 {
        self.0 as i64
    }
}

/// What machine code leaves to others.
#[derive(Debug, Clone, Copy)]
pub(super) enum Helper {
    /// A random move of a seat, of so many.
    Draw,
    /// The count of a throw.
    Throw,
    /// A number, a condition, or a set, which is written to memory.
    Number,
    Test,
    Set,
    /// An instruction that is not worth code of its own: 1 when the game halts.
    Instruction,
    /// A choice whose moves must be tried, with so many that have been written, or none: 1 when the game halts, 2 when
    /// the node is asked for.
    Choose,
    /// The members of a list, each once, for a part of a move: how many there are.
    List,
    /// Nothing was chosen in a turn: the same.
    NoTurn,
    /// A turn is over, and the position is remembered.
    Remember,
    /// The board is kept, so that a turn can be taken back.
    KeepBoard,
    /// A sowing reached its limit of laps.
    Endless,
    /// A count is added to those still to be used.
    AddToPool,
}

impl Helper {
    /// Whether it can change where the last seed fell.
    pub(super) fn changes(self) -> bool {
        matches!(self, Self::Instruction | Self::Choose)
    }

    /// Its address, for one size of positions.
    pub(super) fn address<M: Model>(self) -> Address {
        let function: *const () = match self {
            Self::Draw => draw::<M> as *const (),
            Self::Throw => throw::<M> as *const (),
            Self::Number => number::<M> as *const (),
            Self::Test => test::<M> as *const (),
            Self::Set => set::<M> as *const (),
            Self::Instruction => instruction::<M> as *const (),
            Self::Choose => choose::<M> as *const (),
            Self::List => list::<M> as *const (),
            Self::NoTurn => no_turn::<M> as *const (),
            Self::Remember => remember::<M> as *const (),
            Self::KeepBoard => keep_board::<M> as *const (),
            Self::Endless => endless::<M> as *const (),
            Self::AddToPool => add_to_pool::<M> as *const (),
        };
        Address::of(function)
    }
}

/// The game that machine code lends on.
///
/// # Safety
///
/// The pointer is the one that [`Entries`] gave to the machine code.
unsafe fn lent<'l, 'c, 'r, M: Model>(context: *mut Context<'c, 'r, M>) -> &'l mut Context<'c, 'r, M> {
    // SAFETY: the one who called the machine code has lent it the context, and it does not go on before the helper
    // is done.
    unsafe { &mut *context }
}

/// A part of the program that machine code was made of.
///
/// # Safety
///
/// The address was taken from a reference to a `T` of the program, which lives as long as the machine code.
unsafe fn part<'c, T>(address: i64) -> &'c T {
    // SAFETY: see above.
    unsafe { &*std::ptr::with_exposed_provenance(address as usize) }
}

macro_rules! helpers {
    ($($name:ident($context:ident $(, $argument:ident)*) $body:block)*) => {
        $(
            extern "C" fn $name<M: Model>(context: *mut Context<'_, '_, M> $(, $argument: i64)*) -> i64 {
                // SAFETY: only machine code calls helpers, with the context that it was given.
                let $context = unsafe { lent(context) };
                $body
            }
        )*
    };
}

helpers! {
    draw(context, seat, moves) {
        if moves < 2 { 0 } else { context.draw(seat as usize, moves as usize) as i64 }
    }

    throw(context, throw) {
        let thrown = context.run.program.rules.throws.at(ThrowId::new(throw as usize));
        assert!(!context.throws.is_null(), "somebody throws");
        // SAFETY: as for the players' streams.
        let n = unsafe { &mut *context.throws }.throw(thrown);
        thrown.outcomes.get(n).map_or(0, |fall| i64::from(fall.count))
    }

    number(context, address) {
        // SAFETY: machine code has the address of a number of its program.
        let num: &Num<M::Bits> = unsafe { part(address) };
        i64::from(context.run.num(num))
    }

    test(context, address) {
        // SAFETY: machine code has the address of a condition of its program.
        let test: &Test<M::Bits> = unsafe { part(address) };
        i64::from(context.run.test(test))
    }

    set(context, address, slot) {
        // SAFETY: machine code has the address of a set of its program.
        let set: &Set<M::Bits> = unsafe { part(address) };
        let value = context.run.set(set);
        // SAFETY: machine code gives memory of its own that is large enough for a set, and aligned for words.
        unsafe { std::ptr::with_exposed_provenance_mut::<M::Bits>(slot as usize).write_unaligned(value) };
        0
    }

    instruction(context, pc) {
        let (run, pc) = (&mut *context.run, pc as Pc);
        let program = run.program;
        let Some(op) = program.code.get(pc as usize) else { return 1 };
        run.state.pc = pc + 1;
        context.halt = run.seldom(op, pc);
        i64::from(context.halt.is_some())
    }

    choose(context, pc, many) {
        let (run, pc) = (&mut *context.run, pc as Pc);
        let program = run.program;
        run.state.pc = pc;
        let choose: &Choose<M::Bits> = match program.code.get(pc as usize) {
            Some(Op::Choose(choose)) => choose,
            Some(Op::Pick(choice)) => &choice.choose,
            _ => return 1,
        };
        let halt = if many == 0 {
            run.choose(choose)
        } else {
            let numbers = many as usize * choose.picks.len();
            assert!(numbers <= context.room, "moves that have been written");
            // SAFETY: machine code has written so many numbers there, where there was room for them.
            let moves = unsafe { std::slice::from_raw_parts(context.moves, numbers) };
            run.choose_among(choose, moves)
        };
        match halt {
            None => 0,
            Some(Halt::Choice) if run.state.turns >= context.max_turns => 2,
            Some(Halt::Choice) => {
                let run = &*context.run;
                let (actor, moves) = (usize::from(run.state.actor), run.offer.count);
                let n = if moves < 2 { 0 } else { context.draw(actor, moves) };
                context.run.take_move(choose, n);
                0
            }
            Some(Halt::Refused) => {
                context.run.state.pc = 0;
                0
            }
            halt => {
                context.halt = halt;
                1
            }
        }
    }

    list(context, address, depth) {
        // SAFETY: machine code has the address of a list of its program.
        let list: &List<M::Bits> = unsafe { part(address) };
        let Some(items) = context.memory.get_mut(1 + depth as usize) else { return 0 };
        items.clear();
        context.run.list(list, items);
        once_each(items);
        if let Some(slot) = context.lists.get_mut(depth as usize) {
            *slot = items.as_ptr();
        }
        items.len() as i64
    }

    no_turn(context) {
        let halt = context.run.no_turn();
        match halt {
            Halt::Pass if context.run.state.turns >= context.max_turns => 2,
            Halt::Pass => {
                context.run.state.chosen = true;
                0
            }
            halt => {
                context.halt = Some(halt);
                1
            }
        }
    }

    remember(context, next) {
        context.run.remember(next as u8);
        0
    }

    keep_board(context) {
        context.run.keep_board();
        0
    }

    endless(context, head) {
        context.run.endless(head as Pc);
        0
    }

    add_to_pool(context, count) {
        context.run.add_to_pool(count as i32);
        0
    }
}

/// Functions of machine code: they take a pointer to a [`Context`], for the size of positions that they were made for,
/// and give a code.
pub(super) struct Entries {
    play: *const u8,
    trial: Option<*const u8>,
    module: Option<JITModule>,
}

impl Entries {
    /// Functions that a module has made.
    pub(super) fn new(play: *const u8, trial: Option<*const u8>, module: JITModule) -> Self {
        Self { play, trial, module: Some(module) }
    }

    /// Plays on.
    pub(super) fn play<M: Model>(&self, context: &mut Context<'_, '_, M>) -> i32 {
        // SAFETY: it is a function of the module, which is still there.
        unsafe { call(self.play, context) }
    }

    /// Goes on with a move that is only tried, if there is a function for that.
    pub(super) fn try_out<M: Model>(&self, context: &mut Context<'_, '_, M>) -> Option<i32> {
        // SAFETY: as above.
        self.trial.map(|trial| unsafe { call(trial, context) })
    }
}

/// Calls a function of machine code.
///
/// # Safety
///
/// The function was made for this size of positions, and its module is still there.
unsafe fn call<M: Model>(function: *const u8, context: &mut Context<'_, '_, M>) -> i32 {
    // SAFETY: all functions are made with this signature.
    let function: unsafe extern "C" fn(*mut Context<'_, '_, M>) -> c_int = unsafe { std::mem::transmute(function) };
    // SAFETY: the context is lent as a whole, and machine code keeps to it (see above).
    unsafe { function(std::ptr::from_mut(context)) }
}

impl std::fmt::Debug for Entries {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entries").field("play", &self.play).field("trial", &self.trial).finish_non_exhaustive()
    }
}

impl Drop for Entries {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: nobody can call the functions any more.
            unsafe { module.free_memory() };
        }
    }
}

// SAFETY: the code is finished, and only read; the module is touched once more only when it is dropped.
unsafe impl Send for Entries {}
// SAFETY: as above.
unsafe impl Sync for Entries {}
