/** Stands in for the window's process: says what its title asks for, and what it was given. */
import { createInterface } from "node:readline";

const say = (word: object) => process.stdout.write(`${JSON.stringify(word)}\n`);
const lines = createInterface({ input: process.stdin });
lines.once("close", () => process.exit(0));
lines.once("line", (line) => {
	const { title, link } = JSON.parse(line);
	const acts: Readonly<Record<string, () => void>> = {
		open: () => {
			process.stdout.write("a library says something\n");
			say({ type: "open" });
			for (const url of ["https://example.org/", "file:///etc/passwd", "javascript:alert(1)"]) say({ type: "outside", url });
			const hasLink = process.argv.join(" ").includes(link);
			say({ type: "outside", url: `https://example.org/argument/${hasLink}/${process.env.XWORKMATE_TOKEN ?? "none"}` });
		},
		none: () => say({ type: "none", why: "no display" }),
		die: () => {
			process.stderr.write("cannot open display\n", () => process.exit(1));
		},
		crash: () => {
			say({ type: "open" });
			process.kill(process.pid, "SIGSEGV");
		},
		hang: () => undefined,
	};
	acts[title]?.();
});
