"use strict";
(() => {
  const PAGE = 50, LONGEST = 120;
  const { rows: count, texts, columns, samples, options } = JSON.parse(document.getElementById("data").textContent);
  const KEY = ["case", "stage", "implementation", "mode", "precision", "check", "against"];
  const CHOICES = ["verdict", "language", "implementation", "case", "precision", "mode", "check", "source"];
  const SHOWN = ["case", "stage", "implementation", "mode", "precision", "check", "verdict", "max_abs", "max_ulp", "used", "reason"];
  const TITLES = { max_abs: "max |difference|", max_ulp: "max ULP", used: "error / limit" };
  const NUMBERS = new Set(["max_abs", "max_rel", "max_ulp", "rms", "used", "limit", "worst", "ulp_error", "ulp_of_stage",
    "seconds", "first_call", "later_call", "samples", "count", "beyond", "nan_mismatch", "inf_mismatch", "zero_sign_mismatch",
    "undecided", "inherited"]);
  const FAILING = new Set(["FAIL", "XPASS", "ERROR", "TIMEOUT"]);
  const SIGNS = { PASS: "✓", FAIL: "✗", XFAIL: "≈", XPASS: "✗", ERROR: "!", TIMEOUT: "!" };
  const get = (name, row) => (NUMBERS.has(name) ? columns[name][row] : texts[columns[name][row]]);
  const short = (text) => (text.length > LONGEST ? text.slice(0, LONGEST - 1) + "…" : text);
  const show = (value) => (value === null ? "" : String(value));
  const size = (value) => (value === null ? -1 : value === "NaN" || value === "∞" ? Infinity : Number(value));
  const make = (tag, text, attributes = {}) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const form = document.getElementById("filters"), body = document.getElementById("rows");
  let wanted = {}, only = null, sorted = null, falling = false, page = 0, matching = [];

  for (const name of CHOICES) {
    const select = form.elements[name];
    select.append(make("option", "all", { value: "" }));
    if (name === "verdict") select.append(make("option", "failing", { value: "failing" }));
    for (const number of new Set(columns[name]))
      select.append(make("option", short(texts[number]), { value: texts[number] }));
  }
  const heads = new Map();
  for (const name of SHOWN) {
    const head = make("th", undefined, { scope: "col" });
    const button = make("button", TITLES[name] || name, { type: "button" });
    button.addEventListener("click", () => {
      falling = sorted === name ? !falling : NUMBERS.has(name);
      sorted = name;
      page = 0;
      select();
    });
    head.append(button);
    heads.set(name, head);
    document.getElementById("heads").append(head);
  }

  const linkTo = (row) => "#cell=" + KEY.map((name) => encodeURIComponent(get(name, row))).join("/");

  const matches = (row) => {
    if (only !== null) return KEY.every((name, place) => get(name, row) === only[place]);
    for (const [name, value] of Object.entries(wanted)) {
      if (name === "text") {
        if (!(get("stage", row) + "\n" + get("reason", row)).toLowerCase().includes(value)) return false;
      } else if (name === "verdict" && value === "failing") {
        if (!FAILING.has(get("verdict", row))) return false;
      } else if (columns[name] && get(name, row) !== value) return false;
    }
    return true;
  };

  const select = () => {
    matching = [];
    for (let row = 0; row < count; row++) if (matches(row)) matching.push(row);
    if (sorted !== null) {
      const way = falling ? -1 : 1;
      const order = NUMBERS.has(sorted)
        ? (a, b) => { const x = size(get(sorted, a)), y = size(get(sorted, b)); return x === y ? 0 : x < y ? -1 : 1; }
        : (a, b) => { const x = get(sorted, a), y = get(sorted, b); return x === y ? 0 : x < y ? -1 : 1; };
      matching.sort((a, b) => way * order(a, b) || a - b);
    }
    for (const [name, head] of heads)
      if (name === sorted) head.setAttribute("aria-sort", falling ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    draw();
  };

  const chip = (verdict) => {
    const element = make("span", undefined, { class: "chip " + verdict });
    element.append(make("span", SIGNS[verdict] || "–", { "aria-hidden": "true" }), " " + verdict);
    return element;
  };

  const bySample = (row) => {
    const packed = samples.rows[row];
    if (!packed) return null;
    const [set, codes, used, more, left] = packed;
    const verdicts = [...codes].map((code) => samples.codes[code]);
    const whole = new Map(left ? [["PASS", left]] : []);
    for (const verdict of verdicts) whole.set(verdict, (whole.get(verdict) || 0) + 1);
    const counts = [...whole].map(([verdict, n]) => `${n} ${verdict}`).join(", ");
    const fold = make("details");
    fold.append(make("summary", `${verdicts.length + left} samples: ${counts}`));
    const head = make("tr"), table = make("table", undefined, { class: "numbers" });
    for (const title of ["sample", "verdict", "error / limit", "max |difference|", "beyond", "undecidable", "reason"])
      head.append(make("th", title, { scope: "col" }));
    const top = make("thead"), lines = make("tbody");
    top.append(head);
    verdicts.forEach((verdict, place) => {
      const [largest, beyond, undecided, reason] = more[place] || [null, 0, 0, 0];
      const line = make("tr"), name = make("th", undefined, { scope: "row" }), shown = make("td");
      name.append(make("bdi", short(texts[samples.sets[set][place]])));
      shown.append(chip(verdict));
      line.append(name, shown, ...[used[place], largest, beyond || "", undecided || "", texts[reason]]
        .map((value) => make("td", show(value))));
      lines.append(line);
    });
    table.append(top, lines);
    fold.append(table);
    fold.open = verdicts.length <= 20;
    return fold;
  };

  const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : "'" + word.replaceAll("'", `'"'"'`) + "'");

  const details = (row) => {
    const list = make("dl");
    for (const name of Object.keys(columns)) {
      const value = show(get(name, row));
      if (value === "" || (value === "0" && name !== "max_abs")) continue;
      list.append(make("dt", name));
      list.append(name === "detail" ? make("dd") : make("dd", value));
      if (name === "detail") list.lastChild.append(make("pre", value, { tabindex: "0" }));
    }
    const [name, stage, who] = ["case", "stage", "implementation"].map((key) => get(key, row));
    const sample = get("worst_sample", row), precision = get("precision", row);
    const check = get("check", row);
    const words = ["harness reproduce", quoted(name), quoted(stage), quoted(who)];
    if (options) words.push(options);
    words.push("--mode", get("mode", row));
    if (precision !== "float64") words.push("--precision", quoted(precision));
    if (sample !== "" && sample !== "default") words.push("--sample", quoted(sample));
    words.push("--check", check);
    if (check === "identity" || check === "published") words.push("--against", quoted(get("against", row)));
    if (!who.startsWith("published.")) {
      list.append(make("dt", "reproduce"));
      const line = make("dd");
      line.append(make("code", words.join(" ")));
      list.append(line);
    }
    const table = bySample(row);
    if (table) {
      list.append(make("dt", "by sample"));
      const line = make("dd");
      line.append(table);
      list.append(line);
    }
    const cell = make("td", undefined, { colspan: String(SHOWN.length) });
    cell.append(list);
    const line2 = make("tr", undefined, { class: "details" });
    line2.append(cell);
    return line2;
  };

  const draw = () => {
    const last = Math.max(Math.ceil(matching.length / PAGE) - 1, 0);
    page = Math.min(page, last);
    const lines = [];
    for (const row of matching.slice(page * PAGE, (page + 1) * PAGE)) {
      const line = make("tr");
      for (const name of SHOWN) {
        const cell = name === "stage" ? make("th", undefined, { scope: "row" }) : make("td");
        const value = show(get(name, row));
        if (name === "stage") {
          const link = make("a", undefined, { href: linkTo(row) });
          link.append(make("bdi", short(value)));
          cell.append(link);
        } else if (name === "verdict") {
          cell.append(chip(value));
          if (get("basis", row) === "coarse" && value !== "NOT_RUN")
            cell.append(" ", make("span", "coarse", { class: "chip coarse" }));
        }
        else cell.append(make("bdi", short(value)));
        if (name === "reason") cell.className = "reason";
        line.append(cell);
      }
      lines.push(line);
      if (only !== null) lines.push(details(row));
    }
    body.replaceChildren(...lines);
    const first = matching.length ? page * PAGE + 1 : 0, end = Math.min((page + 1) * PAGE, matching.length);
    document.getElementById("shown").textContent =
      `Cells ${first} to ${end} of ${matching.length}` + (matching.length === count ? "" : ` that match, ${count} in all`) +
      (only === null ? "; a stage's name opens all of its figures" : "");
    document.getElementById("before").disabled = page === 0;
    document.getElementById("after").disabled = page === last;
  };

  const fromHash = (move) => {
    const [head, rest = ""] = location.hash.split(/=(.*)/s);
    if (head === "#cell") {
      only = rest.split("/").map(decode);
      wanted = {};
    } else if (location.hash.startsWith("#cells=")) {
      only = null;
      wanted = Object.fromEntries(rest.split("&").map((pair) => pair.split("=").map(decode)));
    } else if (move) {
      if (location.hash) openTo(location.hash);
      return;
    }
    for (const name of [...CHOICES, "text"]) form.elements[name].value = wanted[name] || "";
    page = 0;
    select();
    if (head === "#cell" || location.hash.startsWith("#cells="))
      document.getElementById("cells").scrollIntoView();
    else if (location.hash) openTo(location.hash);
  };
  const decode = (text) => { try { return decodeURIComponent(text); } catch { return text; } };
  const openTo = (hash) => {
    const target = document.getElementById(decode(hash.slice(1)));
    for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    target?.scrollIntoView();
  };
  const changed = () => {
    only = null;
    wanted = {};
    for (const name of CHOICES) if (form.elements[name].value) wanted[name] = form.elements[name].value;
    const text = form.elements.text.value.toLowerCase();
    const parts = Object.entries(wanted).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    history.replaceState(null, "", parts.length ? "#cells=" + parts.join("&") : "#cells");
    if (text) wanted.text = text;
    page = 0;
    select();
  };
  form.addEventListener("input", changed);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(changed));
  document.getElementById("before").addEventListener("click", () => { page--; draw(); });
  document.getElementById("after").addEventListener("click", () => { page++; draw(); });
  addEventListener("hashchange", () => fromHash(true));
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((fold) => { fold.open = true; }));
  fromHash(false);
})();
