import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A node process on a script beside this file; killed when disposed of. */
export interface ScriptProcess extends AsyncDisposable {
	readonly pid: number | undefined;
	/** Writes one line to its standard input. */
	say(line: string): void;
	/** Its next line of output; undefined once it has ended. */
	nextLine(): Promise<string | undefined>;
	/** kill -9, and waits for the end. Returns the lines it had still written. */
	kill(): Promise<readonly string[]>;
}

export function runScript(name: string, ...args: readonly string[]): ScriptProcess {
	const script = fileURLToPath(new URL(name, import.meta.url));
	const child = spawn(process.execPath, [script, ...args], { stdio: ["pipe", "pipe", "inherit"], env: { PATH: process.env.PATH } });
	// A process that is killed while a line is on its way to it is no failure of the test.
	child.stdin.on("error", () => undefined);
	const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
	const nextLine = async () => (await lines.next()).value as string | undefined;
	const kill = async () => {
		await ended(child);
		const rest: string[] = [];
		for (let line = await nextLine(); line !== undefined; line = await nextLine()) rest.push(line);
		return rest;
	};
	const say = (line: string) => void child.stdin.write(`${line}\n`);
	return { pid: child.pid, say, nextLine, kill, [Symbol.asyncDispose]: async () => void (await kill()) };
}

async function ended(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const exit = once(child, "exit");
	child.kill("SIGKILL");
	await exit;
}
