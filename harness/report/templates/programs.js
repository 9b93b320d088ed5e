"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const panel = byId("panel"), said = byId("said"), chosen = byId("chosen");
  const words = (text) => text.split(" ").filter(Boolean);
  const heads = document.querySelector("#matches ~ .wide thead tr");
  byId("chosen-heads").append(heads.cloneNode(true));

  const beside = (line, partner) => {
    // The partner stands at the height of the line that was chosen, whatever each program is scrolled to.
    const own = line.closest(".pane"), other = partner.closest(".pane");
    other.scrollTop = partner.offsetTop - (line.offsetTop - own.scrollTop);
  };

  const show = (link) => {
    const line = link.closest("li");
    for (const old of document.querySelectorAll(".chosen, .partner")) {
      old.classList.remove("chosen", "partner");
      old.querySelector("a")?.removeAttribute("aria-current");
    }
    line.classList.add("chosen");
    link.setAttribute("aria-current", "true");
    const partners = words(link.dataset.partners).map(byId);
    for (const partner of partners) partner.classList.add("partner");
    if (partners.length) beside(line, partners[0]);
    const rows = words(link.dataset.rows).map((number) => byId("m-" + number));
    chosen.replaceChildren(...rows.map((row) => {
      const copy = row.cloneNode(true);
      copy.removeAttribute("id");
      return copy;
    }));
    chosen.closest(".wide").hidden = !rows.length;
    panel.hidden = false;
    const texts = rows.map((row) => {
      const [one, other, agreement, , difference] = [...row.cells].map((cell) => cell.textContent.trim());
      return one + " and " + other + ": " + agreement.slice(2) + (difference && difference !== "none" ? ", " + difference : "");
    });
    const numbers = partners.map((partner) => partner.querySelector(".no").textContent);
    said.textContent = texts.join("; ") || "line " + line.querySelector(".no").textContent + " and line " + numbers.join(", ");
  };

  const follow = () => {
    const line = byId(location.hash.slice(1));
    const link = line && line.closest(".pane") && line.querySelector("a[data-rows]");
    if (link) {
      show(link);
      link.focus({ preventScroll: true });
    }
  };

  for (const link of document.querySelectorAll(".pane a"))
    link.addEventListener("click", (event) => {
      event.preventDefault();
      history.pushState(null, "", "#" + link.closest("li").id);
      show(link);
    });
  addEventListener("hashchange", follow);
  addEventListener("popstate", follow);
  follow();
})();
