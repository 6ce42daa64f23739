// Ten players report the plays of a game with a maze: boardgame.io's server, in memory.
//
//     node server.js PORT [packed]

const { INVALID_MOVE, ActivePlayers } = require("boardgame.io/core");
const { Server, Origins, SocketIO } = require("boardgame.io/server");

const CARDS_MAX = 30;
const HAND = 6;
const PILE = 67;
const PLAYS_TOLD = 3;

const newRound = () => ({ maze: [{ card: "NESW", at: [0, 0], lit: true }], pile: PILE, plays: [] });

const maze = {
  name: "maze",
  minPlayers: 10,
  maxPlayers: 10,
  turn: { activePlayers: ActivePlayers.ALL },

  // names: of the players; cards: how many lie there already, [card, [x, y]] each.
  setup: (_context, { names, cards }) => {
    const round = newRound();
    round.maze.push(...cards.map(([card, at]) => ({ card, at, lit: true })));
    return {
      edition: "lv-2009",
      round: 1,
      turn: 0,
      ...round,
      goals: { top: null, middle: null, bottom: null },
      players: names.map((name) => ({ name, hand: HAND, broken: [], goldCards: 0 }))
    };
  },

  moves: { report }
};

function report({ G, playerID }, play) {
  if (Number(playerID) !== G.turn) return INVALID_MOVE;
  if (play.play === "path") {
    const [x, y] = play.at;
    if (G.maze.some(({ at }) => at[0] === x && at[1] === y)) return INVALID_MOVE;
    G.maze.push({ card: play.card, at: play.at, lit: true });
  } else {
    const { broken } = G.players[play.seat];
    if (broken.includes(play.tool) === (play.play === "break")) return INVALID_MOVE;
    if (play.play === "break") broken.push(play.tool);
    else broken.splice(broken.indexOf(play.tool), 1);
  }
  G.plays = [{ by: G.turn, ...play }, ...G.plays].slice(0, PLAYS_TOLD);
  if (G.pile > 0) G.pile -= 1;
  else G.players[G.turn].hand -= 1;
  G.turn = (G.turn + 1) % G.players.length;
  if (G.maze.length > CARDS_MAX) {
    Object.assign(G, newRound());
    G.round += 1;
  }
}

const [ownPort, wire] = process.argv.slice(2);
const transport = new SocketIO({ socketOpts: { perMessageDeflate: wire === "packed" } });
const serving = Server({ games: [maze], origins: [Origins.LOCALHOST], transport });
const listen = serving.app.listen.bind(serving.app);
serving.app.listen = (port, listening) => listen(port, "127.0.0.1", listening);
serving.run(Number(ownPort));
