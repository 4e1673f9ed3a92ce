import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";

const styles = new URL("../../src/ui/styles/", import.meta.url);
/** What a rule asks of the elements inside the whole page. Inside small elements, such as a row, looking is cheap. */
const OF_THE_PAGE = /(?:^|[\s,}])(?::root|html|body|#root|\.frame|\.app|\.main|\.scroll|\.read)[^\s,{]*?:has\(([^{]*?)\)[^)]*\{/gm;

it("no rule searches the whole page for an element: the browser would search it again with every update of a run", async () => {
	const found: string[] = [];
	for (const name of await readdir(styles)) {
		const text = await readFile(new URL(name, styles), "utf8");
		for (const [rule, inside = ""] of text.matchAll(OF_THE_PAGE))
			if (!inside.trimStart().startsWith(">")) found.push(`${name}: ${rule.trim()}`);
	}
	expect(found).toEqual([]);
});

it("the state beside the button of a first run breaks into lines: a phone is narrower than its longest words", async () => {
	const text = await readFile(new URL("pages.css", styles), "utf8");
	expect(/^\.first-do \.st \{([^}]*)\}/m.exec(text)?.[1]).toContain("white-space: normal;");
});

it("the state of a call breaks into lines: a command in it that is cut reads as another command", async () => {
	const text = await readFile(new URL("conversation.css", styles), "utf8");
	const rule = (selector: string) => text.split(`\n${selector} {`)[1]?.split("}")[0];
	expect(rule(".act .meta")).toContain("max-width: 70%;");
	expect(rule(".act .meta .st")).toContain("white-space: normal;");
	expect(rule(".act .meta .st")).toContain("overflow-wrap: anywhere;");
});

it("the button that jumps to the newest content has a row of its own: over the conversation, it covered a request's answers", async () => {
	const text = await readFile(new URL("dock.css", styles), "utf8");
	const rule = text.split("\n.below {")[1]?.split("}")[0];
	expect(rule).toContain("display: flex;");
	expect(rule).not.toMatch(/position|translate|top:/);
});

it("short messages are over the main part of the page only, and at its top if its end is where requests are answered", async () => {
	const text = await readFile(new URL("popover.css", styles), "utf8");
	const rule = (selector: string) => text.split(`\n${selector} {`)[1]?.split("}")[0];
	expect(rule(".app > .toast-area")).toContain("grid-column: 2 / 3;");
	expect(rule(".app:has(> .main > :is(.dock, .sticky-foot)) > .toast-area")).toContain("inset: calc(var(--h-bar) + var(--s-2)) 0 auto;");
});
