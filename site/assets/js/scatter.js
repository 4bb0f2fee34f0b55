// Draws the rows of a table as points of two of its figures, each on a logarithmic axis.
import { number as shown } from "./number.js";

const sides = { left: 52, right: 20, top: 24, bottom: 44 };

const svg = (name, attributes, ...children) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

// An axis from one position to another, whose ends are powers of ten.
const axis = (values, from, to) => {
  const logs = values.map(Math.log10);
  const low = Math.floor(logs.reduce((a, b) => Math.min(a, b)));
  const high = Math.max(low + 1, Math.ceil(logs.reduce((a, b) => Math.max(a, b))));
  const at = (value) => from + ((Math.min(Math.max(Math.log10(value), low), high) - low) / (high - low)) * (to - from);
  return { at, ticks: Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)) };
};

// scatter draws points, each { name, href, x: [value, low, high], y: the same } with known ends of their intervals,
// into place; columns are those of x and y. A figure that is 0 or unknown has no place on a logarithmic axis; left is
// how many rows have such. The points are one stop of the Tab key; the arrow keys go on from left to right.
export const scatter = (place, points, left, columns) => {
  const said = place.querySelector("[role=status]");
  place.querySelector("svg")?.remove();
  if (points.length === 0) {
    said.textContent = `None of ${left} rows has both figures.`;
    return;
  }
  const width = Math.min(place.clientWidth, 900); // letters keep their size
  const height = Math.max(260, Math.round(width / 2));
  const x = axis(points.map((p) => p.x[0]), sides.left, width - sides.right);
  const y = axis(points.map((p) => p.y[0]), height - sides.bottom, sides.top);
  const [xLabel, yLabel] = columns.map(({ label, unit }) => `${label}, ${unit}`);
  const figures = (p) =>
    [p.y, p.x].map(([value], i) => `${columns[1 - i].label} ${shown(value)} ${columns[1 - i].unit}`).join(", ");
  const line = (x1, y1, x2, y2, kind) => svg("line", { x1, y1, x2, y2, class: kind });
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group" });
  drawing.setAttribute("aria-label", `${yLabel} against ${xLabel}, ${points.length} rows. The table below has them.`);
  for (const tick of x.ticks) {
    drawing.append(line(x.at(tick), sides.top, x.at(tick), height - sides.bottom, "grid"),
      svg("text", { x: x.at(tick), y: height - sides.bottom + 16, class: "middle" }, shown(tick)));
  }
  for (const tick of y.ticks) {
    drawing.append(line(sides.left, y.at(tick), width - sides.right, y.at(tick), "grid"),
      svg("text", { x: sides.left - 6, y: y.at(tick) + 4, class: "axis" }, shown(tick)));
  }
  drawing.append(svg("text", { x: width - sides.right, y: height - 8, class: "axis" }, `${xLabel} →`),
    svg("text", { x: 0, y: 10, class: "start" }, `${yLabel} ↑`));
  const circles = points.toSorted((a, b) => a.x[0] - b.x[0]).map((p, i) => {
    const [px, py] = [x.at(p.x[0]), y.at(p.y[0])];
    if (p.x[2]) drawing.append(line(x.at(p.x[1]), py, x.at(p.x[2]), py, "interval"));
    if (p.y[2]) drawing.append(line(px, y.at(p.y[1]), px, y.at(p.y[2]), "interval"));
    const link = svg("a", { href: p.href, tabindex: i ? -1 : 0 }, svg("circle", { cx: px, cy: py, r: 4 }));
    link.setAttribute("aria-label", `${p.name}: ${figures(p)}`);
    link.addEventListener("focus", () => name({ p, link })); // Chromium focuses a drawing that listens itself
    return { p, px, py, link };
  });
  drawing.append(...circles.map(({ link }) => link));

  const name = ({ p, link }) => {
    drawing.querySelector(".main")?.removeAttribute("class");
    link.firstChild.setAttribute("class", "main");
    const to = Object.assign(document.createElement("a"), { href: p.href });
    to.append(Object.assign(document.createElement("bdi"), { textContent: p.name }));
    said.replaceChildren(to, `: ${figures(p)}`);
  };
  drawing.addEventListener("keydown", (event) => {
    const at = circles.findIndex(({ link }) => link === event.target);
    const last = circles.length - 1;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = circles[Math.min(Math.max(to, 0), last)].link;
    event.target.setAttribute("tabindex", -1);
    next.setAttribute("tabindex", 0);
    next.focus();
  });

  // The point nearest to a pointer or a finger is named.
  const point = ({ clientX, clientY }) => {
    const box = drawing.getBoundingClientRect();
    const [cx, cy] = [clientX - box.left, clientY - box.top];
    const away = ({ px, py }) => Math.hypot(px - cx, py - cy);
    const nearest = circles.reduce((a, b) => (away(b) < away(a) ? b : a));
    if (away(nearest) <= 24) name(nearest);
  };
  drawing.addEventListener("pointermove", point);
  drawing.addEventListener("click", point);
  const others = left ? "; the others lack one of the two figures, or it is 0" : "";
  said.textContent = `Drawn: ${points.length} of ${points.length + left} rows${others}. ` +
    "Point at one for its name, or use Tab and the arrow keys.";
  said.before(drawing);
};
