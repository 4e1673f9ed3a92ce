import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { until } from "./until.ts";

const SCRIPT = "/usr/bin/script";

/** Terminals are made by script. */
export const hasTerminals = existsSync(SCRIPT);

/**
 * A program in a terminal of its own. Without a size, no status line would be drawn. `shell` can redirect its input. For `signal`, the program
 * has to print `<process PID>`.
 */
export function inTerminal(program: string, shell = "") {
	const command = `stty rows 24 columns 80; '${process.execPath}' --input-type=module --eval "$PROGRAM" ${shell}`;
	const child = spawn(SCRIPT, ["-qec", command, "/dev/null"], { env: { ...process.env, PROGRAM: program }, stdio: "pipe" });
	const ended = new Promise((resolve) => child.once("exit", resolve));
	let shown = "";
	child.stdout.on("data", (data: Buffer) => {
		shown += data.toString();
	});
	return {
		signal: (name: NodeJS.Signals) => process.kill(Number(/<process (\d+)>/.exec(shown)?.[1]), name),
		get shown() {
			return shown;
		},
		questions: () => shown.split("[d]eny? ").length - 1,
		/** Closes the terminal, whose input and output then fail, and sends SIGHUP. */
		hangUp: () => child.kill("SIGKILL"),
		type: (text: string) => child.stdin.write(text),
		untilShown: (text: string) => until(text, () => shown.includes(text)),
		async [Symbol.asyncDispose]() {
			child.kill();
			await ended;
		},
	};
}
