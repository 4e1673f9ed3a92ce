import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const consoleModule = new URL("../../../src/cli/parts/console.ts", import.meta.url).href;
const program = `
	import { terminalConsole } from ${JSON.stringify(consoleModule)};
	const console = terminalConsole({});
	console.out("Four words");
	console.note("· collecting files");
	console.endLine();
`;

/** What a shell's reader gets on the command's two streams. */
function written(redirection: string) {
	const script = `"$0" --input-type=module --eval "$1" ${redirection}`;
	const { stdout, stderr } = spawnSync("/bin/sh", ["-c", script, process.execPath, program], { encoding: "utf8" });
	return { stdout, stderr };
}

it("notes begin on a line of their own where answer and notes are one stream", () => {
	expect(written("2>&1").stdout).toBe("Four words\n· collecting files\n");
});

it("leaves the answer as it is where the notes go elsewhere", () => {
	expect(written("")).toEqual({ stdout: "Four words\n", stderr: "· collecting files\n" });
});
