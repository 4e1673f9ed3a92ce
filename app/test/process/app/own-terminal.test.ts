import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const module = fileURLToPath(new URL("../../../src/process/app/own-terminal.ts", import.meta.url));
const said = `import { hasTerminal } from ${JSON.stringify(module)}; console.log("terminal: " + hasTerminal());`;
const node = `'${process.execPath}' --input-type=module --eval '${said}'`;
/** Gives a command a terminal of its own. */
const SCRIPT = "/usr/bin/script";

const quote = (command: string) => command.replaceAll("'", String.raw`'\''`);

function answerOf(command: string): string | undefined {
	const { stdout } = spawnSync("/bin/sh", ["-c", command], { encoding: "utf8", input: "" });
	return /terminal: (\w+)/.exec(stdout)?.[1];
}

it.runIf(process.platform === "linux" && existsSync(SCRIPT)).each([
	["a terminal", `'${SCRIPT}' --quiet --return --command "$COMMAND" /dev/null`, node, "true"],
	["setsid in a terminal", `'${SCRIPT}' --quiet --return --command "$COMMAND" /dev/null`, `setsid --wait ${node}`, "false"],
	["nohup in a terminal", `'${SCRIPT}' --quiet --return --command "$COMMAND" /dev/null`, `nohup ${node} </dev/null 2>&1 | cat`, "false"],
	[
		"the background of a terminal's shell",
		`'${SCRIPT}' --quiet --return --command "$COMMAND" /dev/null`,
		`bash -c "set -m; eval \\"\\$NODE\\" & wait"`,
		"false",
	],
	["pipes", `sh -c "$COMMAND"`, node, "false"],
])("a program knows whether a terminal can stop it: %s", (_, command, inner, answer) => {
	const quoted = `export NODE='${quote(node)}'; COMMAND='${quote(inner)}'; ${command}`;
	expect(answerOf(quoted)).toBe(answer);
});
