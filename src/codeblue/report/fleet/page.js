"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const words = data.words;
const list = document.getElementById("nodes");
const search = document.getElementById("search");
const detail = document.getElementById("detail");
const MOST = 200;
let chosen = null;

function element(name, text, kind) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function* expanded(names) {
  for (const one of names) {
    if (typeof one === "string") {
      yield one;
      continue;
    }
    const [before, after, width, ranges] = one;
    for (let at = 0; at < ranges.length; at += 2) {
      for (let number = ranges[at]; number <= ranges[at + 1]; number += 1) {
        yield before + String(number).padStart(width, "0") + after;
      }
    }
  }
}

function* everyNode() {
  for (const [g, k, f, w, t, l, names] of data.sets) {
    const told = [data.groups[g], ...f.map((one) => data.findings[one[0]].fault)].join(" ").toLowerCase();
    const same = { g, k, f, w: data.whys[w], t, l, told };
    for (const n of expanded(names)) yield { n, same };
  }
}

const nodes = [...everyNode()].sort((a, b) => a.same.k - b.same.k || (a.n < b.n ? -1 : Number(a.n > b.n)));

function matches(node, words) {
  const name = node.n.toLowerCase();
  return words.every((word) => name.includes(word) || node.same.told.includes(word));
}

function show() {
  const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = nodes.filter((node) => (chosen === null || node.same.k === chosen) && matches(node, wanted));
  const rows = found.slice(0, MOST).map(({ n, same }) => {
    const row = element("tr", undefined, "open");
    const kind = data.kinds[same.k];
    const state = element("td", kind.name, kind.style);
    if (same.l) state.append(" ", element("span", words.light, "dim"));
    row.append(element("td", n), element("td", data.groups[same.g]), state);
    row.append(element("td", same.f.map((f) => data.findings[f[0]].fault).join(", ") || same.w));
    row.tabIndex = 0;
    row.addEventListener("click", () => open(n, same));
    row.addEventListener("keydown", (event) => { if (event.key === "Enter") open(n, same); });
    return row;
  });
  list.replaceChildren(...rows);
  const more = found.length - rows.length;
  document.getElementById("more").textContent = more > 0 ? words.more.replace("{n}", more) : "";
}

function open(name, node) {
  const box = element("div", undefined, "node");
  const kind = data.kinds[node.k];
  box.append(element("h3", name), element("div", kind.name, kind.style));
  if (node.l) box.append(element("div", words.light, "dim"));
  if (node.w) box.append(element("p", node.w));
  for (const index of node.t) box.append(element("p", data.notes[index], "dim"));
  for (const [index, subject] of node.f) {
    const finding = data.findings[index];
    const line = element("p");
    line.append(element("strong", finding.fault), " ", element("span", `${finding.role}, ${finding.certainty}, ${subject}`, "dim"));
    line.append(element("br"), finding.summary, element("br"), element("code", `codeblue explain ${finding.fault}`));
    box.append(line);
  }
  if (!node.f.length && !node.w) box.append(element("p", words.nothing, "dim"));
  detail.replaceChildren(box);
  detail.scrollIntoView({ block: "nearest" });
}

for (const button of document.querySelectorAll(".tiles button")) {
  button.addEventListener("click", () => {
    const kind = Number(button.dataset.kind);
    chosen = chosen === kind ? null : kind;
    for (const other of document.querySelectorAll(".tiles button")) {
      other.setAttribute("aria-pressed", String(Number(other.dataset.kind) === chosen));
    }
    show();
  });
}
search.addEventListener("input", show);
show();
