import { expect, it } from "vitest";
import { hasTerminals, inTerminal } from "../support/terminal.ts";

const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
const program = `
	import { askKey, askText } from ${url("../../src/cli/parts/ask-user.ts")};
	const text = await askText("Write it:\\n");
	const key = await askKey("Send it? ", ["s", "l"]);
	process.stdout.write("<" + JSON.stringify([text, key]) + ">");
	process.exit();
`;

it.runIf(hasTerminals)("a text that Ctrl-D ends leaves the terminal for the question that follows", async () => {
	await using asked = inTerminal(program);
	await asked.untilShown("Write it:");
	asked.type("one\ntwo\n\u0004");
	await asked.untilShown("Send it? ");
	asked.type("s\n");
	await asked.untilShown('<["one\\ntwo","s"]>');
	expect(asked.shown).toContain("Send it? ");
});
