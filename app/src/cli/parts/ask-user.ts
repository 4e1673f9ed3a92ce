import { createInterface } from "node:readline/promises";

/** Asks on a terminal until the user types one of the keys; undefined if the input ends. */
export async function askKey(question: string, keys: readonly string[]): Promise<string | undefined> {
	const terminal = createInterface({ input: process.stdin, output: process.stderr });
	const ended = new Promise<undefined>((resolve) => {
		terminal.once("close", () => resolve(undefined));
	});
	try {
		for (;;) {
			const answer = await Promise.race([terminal.question(question), ended]);
			if (answer === undefined) return undefined;
			const key = answer.trim().toLowerCase()[0] ?? "";
			if (keys.includes(key)) return key;
		}
	} finally {
		terminal.close();
	}
}

/** Reads lines on a terminal until its input ends with Ctrl+D. */
export async function askText(question: string): Promise<string> {
	process.stderr.write(question);
	const terminal = createInterface({ input: process.stdin });
	const lines: string[] = [];
	for await (const line of terminal) lines.push(line);
	return lines.join("\n");
}
