/** Stands in for the window's process: says what its title asks for, and what it was given. */
import { createInterface } from "node:readline";

const say = (word: object) => process.stdout.write(`${JSON.stringify(word)}\n`);
/** True if this process leads a group: only then is there one with its id. */
function leadsGroup(): boolean {
	try {
		return process.kill(-process.pid, 0);
	} catch {
		return false;
	}
}

const lines = createInterface({ input: process.stdin });
let code = 0;
lines.once("close", () => process.exit(code));
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
		"end badly": () => {
			code = 1;
			say({ type: "open" });
			say({ type: "outside", url: `https://example.org/leads/${leadsGroup()}` });
		},
		hang: () => undefined,
	};
	acts[title]?.();
});
