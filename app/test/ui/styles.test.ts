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
