import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryHome } from "../../support/temporary-home.ts";
import { hasTerminals, inTerminal } from "../../support/terminal.ts";
import { until } from "../../support/until.ts";

const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
const program = `
	import { askKey, askText } from ${url("../../../src/cli/parts/ask-user.ts")};
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

it.runIf(hasTerminals)(
	"a question whose terminal is closed gets no answer, as does the next, and the program handles the hang-up",
	async () => {
		using home = temporaryHome();
		const file = join(home.path, "said");
		await using asked = inTerminal(`
		import { appendFileSync } from "node:fs";
		import { askKey } from ${url("../../../src/cli/parts/ask-user.ts")};
		const say = (text) => appendFileSync(${JSON.stringify(file)}, text + "\\n");
		for (const output of [process.stdout, process.stderr]) output.on("error", () => undefined);
		const hungUp = new Promise((resolve) => process.once("SIGHUP", resolve));
		setInterval(() => undefined, 1_000);
		for (const _ of [1, 2]) say(String(await askKey("[d]eny? ", ["d"])));
		await hungUp;
		say("hung up");
		process.exit();
	`);
		await asked.untilShown("[d]eny? ");
		asked.hangUp();
		const said = () => readFileSync(file, { encoding: "utf8", flag: "a+" }).split("\n");
		await until("the end of the program", () => said().includes("hung up"));
		expect(said()).toEqual(["undefined", "undefined", "hung up", ""]);
	},
);
