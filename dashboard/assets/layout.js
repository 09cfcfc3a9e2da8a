// A layered picture of who needs whom: consumers first, what they need after them (Sugiyama's method). All functions are
// pure; a thousand boxes take some milliseconds.

/**
 * Places boxes. nodes: [{id, w, h}]; edges: [{from, to}] by id. direction is "right" (layers are columns) or "down".
 * Returns {width, height, nodes: Map id -> {x, y, w, h}, edges: [{edge, points: [{x, y}]}]}; the points of an edge lead
 * from its consumer, between the boxes of the layers it crosses, to what is needed.
 */
export function layout(nodes, edges, { direction = 'right', layerGap = 48, gap = 12 } = {}) {
  const across = direction === 'right'; // along: the axis of the layers; side: the axis within a layer
  const cells = new Map(nodes.map((n) => [n.id, { id: n.id, along: across ? n.w : n.h, side: across ? n.h : n.w, next: [], previous: [] }]));
  const known = edges.filter((e) => cells.has(e.from) && cells.has(e.to) && e.from !== e.to);
  const forward = acyclic([...cells.keys()], known);
  rank(cells, forward);
  const chains = subdivide(cells, forward);
  const layers = order([...cells.values()]);
  spread(layers, gap);

  const starts = [];
  let total = 0;
  for (const layer of layers) {
    const thickness = Math.max(0, ...layer.map((c) => c.along));
    starts.push({ at: total, thickness });
    total += thickness + layerGap;
  }
  const low = Math.min(0, ...[...cells.values()].map((c) => c.centre - c.side / 2));
  const high = Math.max(0, ...[...cells.values()].map((c) => c.centre + c.side / 2));
  const point = (along, side) => (across ? { x: along, y: side - low } : { x: side - low, y: along });

  const placed = new Map();
  for (const n of nodes) {
    const c = cells.get(n.id);
    // Across, boxes of a layer begin at one line, as a column of text does; downwards they hang from one line.
    placed.set(n.id, { ...point(starts[c.layer].at, c.centre - c.side / 2), w: n.w, h: n.h });
  }
  const drawn = chains.map(({ edge, reversed, path }) => {
    const points = path.flatMap((c, i) => {
      const { at, thickness } = starts[c.layer];
      // A thin box is left straight: a wide one of its layer may stand beside the way.
      if (i === 0) return c.along < thickness ? [point(at + c.along, c.centre), point(at + thickness, c.centre)] : [point(at + thickness, c.centre)];
      if (i === path.length - 1) return [point(at, c.centre)];
      return [point(at, c.centre), point(at + thickness, c.centre)];
    });
    return { edge, points: reversed ? points.reverse() : points };
  });
  const long = Math.max(0, total - layerGap);
  return { width: across ? long : high - low, height: across ? high - low : long, nodes: placed, edges: drawn };
}

/**
 * A layout with boxes beside it that have no edges, such as chains: a column of their own, or rows of their own as wide as the
 * room. Pure.
 */
export function beside(placed, boxes, direction, room) {
  if (!boxes.length) return placed;
  const [wide, gap] = [64, 12];
  const nodes = new Map(placed.nodes);
  let { width, height } = placed;
  let [x, y, tall] = direction === 'right' ? [width + wide, 0, 0] : [0, height + wide, 0];
  for (const { id, w, h } of boxes) {
    if (direction === 'down' && x > 0 && x + w > room) [x, y, tall] = [0, y + tall + gap, 0];
    nodes.set(id, { x, y, w, h });
    [width, height, tall] = [Math.max(width, x + w), Math.max(height, y + h), Math.max(tall, h)];
    if (direction === 'right') y += h + gap;
    else x += w + gap;
  }
  return { ...placed, width, height, nodes };
}

// Turns round the edges that close a cycle (two services that need each other lazily), so that layers exist.
function acyclic(ids, edges) {
  const out = new Map(ids.map((id) => [id, []]));
  for (const edge of edges) out.get(edge.from).push(edge);
  const state = new Map();
  const result = [];
  const visit = (root) => {
    const stack = [[root, 0]];
    state.set(root, 'open');
    while (stack.length) {
      const top = stack.at(-1);
      const edge = out.get(top[0])[top[1]++];
      if (!edge) {
        state.set(stack.pop()[0], 'done');
        continue;
      }
      const reversed = state.get(edge.to) === 'open';
      result.push({ edge, reversed, from: reversed ? edge.to : edge.from, to: reversed ? edge.from : edge.to });
      if (state.has(edge.to)) continue;
      state.set(edge.to, 'open');
      stack.push([edge.to, 0]);
    }
  };
  for (const id of ids) if (!state.has(id)) visit(id);
  return result;
}

// Gives each cell its layer: as far from the first as its longest chain of consumers; who has no consumer stands right
// before what it needs.
function rank(cells, edges) {
  const waits = new Map([...cells.keys()].map((id) => [id, 0]));
  const out = new Map([...cells.keys()].map((id) => [id, []]));
  for (const e of edges) {
    waits.set(e.to, waits.get(e.to) + 1);
    out.get(e.from).push(e.to);
  }
  const first = [...cells.keys()].filter((id) => waits.get(id) === 0);
  for (const c of cells.values()) c.layer = 0;
  for (const todo = [...first]; todo.length;) {
    const id = todo.pop();
    for (const to of out.get(id)) {
      cells.get(to).layer = Math.max(cells.get(to).layer, cells.get(id).layer + 1);
      waits.set(to, waits.get(to) - 1);
      if (waits.get(to) === 0) todo.push(to);
    }
  }
  for (const id of first) {
    const needed = out.get(id).map((to) => cells.get(to).layer);
    if (needed.length) cells.get(id).layer = Math.min(...needed) - 1;
  }
}

// Puts a thin cell into each layer that an edge crosses, which keeps a way free for it. Returns the cells along each edge.
function subdivide(cells, edges) {
  return edges.map(({ edge, reversed, from, to }, i) => {
    const path = [cells.get(from)];
    const last = cells.get(to);
    for (let layer = path[0].layer + 1; layer < last.layer; layer++) {
      const thin = { id: `${i}/${layer}`, along: 0, side: 2, layer, next: [], previous: [] };
      cells.set(thin.id, thin);
      path.push(thin);
    }
    path.push(last);
    for (let k = 1; k < path.length; k++) {
      path[k - 1].next.push(path[k]);
      path[k].previous.push(path[k - 1]);
    }
    return { edge, reversed, path };
  });
}

// Orders each layer so that few edges cross: again and again each cell moves to the middle of its neighbours.
function order(cells) {
  const layers = [];
  for (const c of cells) (layers[c.layer] ??= []).push(c);
  for (let i = 0; i < layers.length; i++) layers[i] ??= [];
  const number = (layer) => layer.forEach((c, i) => (c.place = (i + 0.5) / layer.length));
  layers.forEach(number);
  let best = layers.map((l) => [...l]);
  let least = Infinity;
  for (let sweep = 0; sweep < 10; sweep++) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : [...layers].reverse()) {
      const middle = new Map(layer.map((c) => [c, mean((down ? c.previous : c.next).map((n) => n.place), c.place)]));
      layer.sort((a, b) => middle.get(a) - middle.get(b));
      number(layer);
    }
    const crossings = layers.reduce((n, layer) => n + crossed(layer), 0);
    if (crossings < least) [least, best] = [crossings, layers.map((l) => [...l])];
    if (least === 0) break;
  }
  best.forEach(number);
  return best;
}

// How many pairs of edges from a layer to the next cross: the inversions among their ends.
function crossed(layer) {
  const ends = layer.flatMap((c) => c.next.map((n) => n.place).sort((a, b) => a - b));
  let n = 0;
  for (let i = 0; i < ends.length; i++) for (let k = i + 1; k < ends.length; k++) if (ends[i] > ends[k]) n++;
  return n;
}

const mean = (values, otherwise) => (values.length ? values.reduce((a, b) => a + b, 0) / values.length : otherwise);

// Gives each cell its centre within the layer: near its neighbours, in the order found, without overlaps.
function spread(layers, gap) {
  for (const layer of layers) {
    let at = 0;
    for (const c of layer) {
      c.centre = at + c.side / 2;
      at += c.side + gap;
    }
    for (const c of layer) c.centre -= at / 2; // all layers around one axis
  }
  for (let sweep = 0; sweep < 8; sweep++) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : [...layers].reverse()) {
      const wanted = layer.map((c) => mean((down ? c.previous : c.next).map((n) => n.centre), c.centre));
      settle(layer, wanted, gap);
    }
  }
}

// Moves the cells of a layer as near as possible to where they want to be (least squares, by pooling neighbours that would
// overlap).
function settle(layer, wanted, gap) {
  const blocks = [];
  let offset = 0;
  layer.forEach((c, i) => {
    const start = offset + c.side / 2;
    offset += c.side + gap;
    let block = { cells: [[c, start]], sum: wanted[i] - start, n: 1 };
    while (blocks.length && blocks.at(-1).sum / blocks.at(-1).n > block.sum / block.n) {
      const before = blocks.pop();
      block = { cells: [...before.cells, ...block.cells], sum: before.sum + block.sum, n: before.n + block.n };
    }
    blocks.push(block);
  });
  for (const { cells, sum, n } of blocks) for (const [c, start] of cells) c.centre = start + sum / n;
}

/** The smooth line through the points of an edge, as the d of an SVG path. */
export function curve(points, direction) {
  const at = (p) => `${round(p.x)} ${round(p.y)}`;
  let d = `M${at(points[0])}`;
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1], points[i]];
    if (direction === 'right') {
      const x = round((a.x + b.x) / 2);
      d += a.y === b.y ? `L${at(b)}` : `C${x} ${round(a.y)} ${x} ${round(b.y)} ${at(b)}`;
    } else {
      const y = round((a.y + b.y) / 2);
      d += a.x === b.x ? `L${at(b)}` : `C${round(a.x)} ${y} ${round(b.x)} ${y} ${at(b)}`;
    }
  }
  return d;
}

const round = (n) => Math.round(n * 10) / 10;
