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

function matches(node, words) {
  const text = [node.n, data.groups[node.g], ...node.f.map((f) => data.findings[f[0]].fault)].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}

function show() {
  const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = data.nodes.filter((node) => (chosen === null || node.k === chosen) && matches(node, wanted));
  const rows = found.slice(0, MOST).map((node) => {
    const row = element("tr", undefined, "open");
    const name = element("td", node.n);
    const state = element("td", data.kinds[node.k].name, data.kinds[node.k].style);
    if (node.l) state.append(" ", element("span", words.light, "dim"));
    row.append(name, element("td", data.groups[node.g]), state);
    row.append(element("td", node.f.map((f) => data.findings[f[0]].fault).join(", ") || node.w || ""));
    row.tabIndex = 0;
    row.addEventListener("click", () => open(node));
    row.addEventListener("keydown", (event) => { if (event.key === "Enter") open(node); });
    return row;
  });
  list.replaceChildren(...rows);
  const more = found.length - rows.length;
  document.getElementById("more").textContent = more > 0 ? words.more.replace("{n}", more) : "";
}

function open(node) {
  const box = element("div", undefined, "node");
  const kind = data.kinds[node.k];
  box.append(element("h3", node.n), element("div", kind.name, kind.style));
  if (node.l) box.append(element("div", words.light, "dim"));
  if (node.w) box.append(element("p", node.w));
  for (const index of node.t || []) box.append(element("p", data.notes[index], "dim"));
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
