import { appendFileSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { logCommand } from "../../../src/cli/app/log-command.ts";
import { bridgeLogFile } from "../../../src/process/bridge/bridge-files.ts";
import { RecordingConsole } from "../../support/recording-console.ts";
import { temporaryHome } from "../../support/temporary-home.ts";
import { until } from "../../support/until.ts";

function written(home: string, text: string): string {
	const path = bridgeLogFile(home);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
	return path;
}

it("prints the whole log, however long, without what would steer a terminal", async () => {
	using home = temporaryHome();
	// Letters of several bytes, so that a chunk ends in the middle of one.
	const long = `x${"家".repeat(50_000)}\n`;
	written(home.path, `${long}red \u001b[31mwords\u001b[0m\n`);
	const console = new RecordingConsole();
	await logCommand({ home: home.path }, console, undefined);
	expect(console.answers.startsWith(long)).toBe(true);
	expect(console.answers).not.toContain("\u001b");
	expect(console.answers).toMatch(/words\S*\n$/);
});

it("prints with --follow what is written later, until it is told to end", async () => {
	using home = temporaryHome();
	const path = written(home.path, "one\n");
	const console = new RecordingConsole();
	const end = new AbortController();
	const following = logCommand({ home: home.path }, console, end.signal);
	await until("what was there", () => console.answers === "one\n");
	appendFileSync(path, "two\n");
	await until("what came", () => console.answers === "one\ntwo\n");
	end.abort();
	await following;
});

it("prints with --follow the log that a restarted bridge begins after it renamed the one before", async () => {
	using home = temporaryHome();
	const path = written(home.path, "one\n");
	const console = new RecordingConsole();
	const end = new AbortController();
	const following = logCommand({ home: home.path }, console, end.signal);
	await until("what was there", () => console.answers === "one\n");
	renameSync(path, `${path}.1`);
	appendFileSync(`${path}.1`, "last\n");
	writeFileSync(path, "two\n");
	await until("the next log", () => console.answers === "one\nlast\ntwo\n");
	end.abort();
	await following;
});

it("says where there is no log, and how to get one", async () => {
	using home = temporaryHome();
	const ended = logCommand({ home: home.path }, new RecordingConsole(), undefined);
	await expect(ended).rejects.toMatchObject({
		message: expect.stringContaining(bridgeLogFile(home.path)),
		fix: "Start XWorkmate with `npm start`.",
	});
});

it("prints no log of this home where the bridge is another one", async () => {
	using home = temporaryHome();
	written(home.path, "of an earlier bridge\n");
	const console = new RecordingConsole();
	const ended = logCommand({ home: home.path, bridgeUrl: "https://bridge.example" }, console, undefined);
	await expect(ended).rejects.toMatchObject({ code: "INVALID_INPUT", fix: expect.stringContaining("computer that runs the bridge") });
	expect(console.answers).toBe("");
});
