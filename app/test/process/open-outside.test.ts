import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { openOutside } from "../../src/process/open-outside.ts";

/** A program that opens things, as the library starts it. */
const program =
	(script: string, started: ChildProcess[] = []) =>
	async () => {
		const child = spawn("/bin/sh", ["-c", script], { stdio: "ignore", detached: true });
		started.push(child);
		await once(child, "spawn");
		child.unref();
		return child;
	};

it("fails where the system's program says that it opened nothing, as without a browser", async () => {
	await expect(openOutside("http://127.0.0.1:1", program("exit 3"))).rejects.toMatchObject({
		code: "EDITOR_FAILED",
		message: "The folder or address couldn't be opened on the app's computer: sh ended with exit code 3.",
	});
	await expect(openOutside("/tmp", () => Promise.reject(new Error("no such program")))).rejects.toMatchObject({ code: "EDITOR_FAILED" });
	await expect(openOutside("http://127.0.0.1:1", program("exit 0"))).resolves.toBeUndefined();
});

it("does not wait for a browser to be closed", async () => {
	const started: ChildProcess[] = [];
	await openOutside("http://127.0.0.1:1", program("exec sleep 60", started));
	expect(started[0]?.exitCode).toBe(null);
	started[0]?.kill();
});
