import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { runCommand } from "../../support/app/command.ts";
import { type StartedApp, startApp } from "../../support/app/started-app.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";

const token = `sk-ant-oat01-${"Abc-_9".repeat(14)}`;
const localKey = "plain-key-of-a-local-server";

let home: TemporaryHome;
let app: StartedApp;

beforeAll(async () => {
	home = await temporaryHome();
	app = await startApp(home);
});
afterAll(async () => {
	await app[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

const auth = (args: readonly string[], stdin?: string) => runCommand(home, ["auth", ...args], stdin === undefined ? {} : { stdin });
const file = () => join(home.xworkmate, "auth-profiles.json");

it("[T1-89] a setup token is pasted, checked, stored for its owner alone, and first in order", async () => {
	expect((await auth([])).stdout).toContain("There are no accounts.");
	expect((await runCommand(home, ["doctor"])).stdout).toContain(
		"note     accounts: There are no accounts, so the assistant can't be used.",
	);
	const short = await auth(["anthropic", "setup-token"], token.slice(0, 60));
	expect(short).toMatchObject({
		code: 1,
		stdout: "",
		stderr: expect.stringMatching(/This setup token is too short.*\(CREDENTIAL_INVALID\)\n {2}Copy the whole credential again/),
	});
	const stored = await auth(["anthropic", "setup-token"], `\n  ${token}  \n`);
	expect(stored).toMatchObject({ code: 0, stdout: expect.stringContaining("Saved anthropic:manual") });
	expect(JSON.parse(await readFile(file(), "utf8"))).toEqual({
		version: 1,
		profiles: { "anthropic:manual": { type: "token", token } },
		order: { anthropic: ["anthropic:manual"] },
	});
	expect((await stat(file())).mode & 0o777).toBe(0o600);
	expect(await auth(["anthropic", "setup-token"], token)).toMatchObject({ code: 1, stderr: expect.stringContaining("(CREDENTIAL_KNOWN)") });
	expect((await auth(["list"])).stdout).toBe("anthropic:manual  token  available\n");
	expect((await runCommand(home, ["doctor"])).stdout).toContain("ok       accounts: 1 of 1 available now, starting with anthropic:manual.");
	for (const { stdout, stderr } of [short, stored]) expect(stdout + stderr).not.toContain(token.slice(0, 40));
});

it("a credential that is stored while the bridge runs is in no receipt, no request and no log", async () => {
	expect(await auth(["openai", "api-key", "--name", "local"], localKey)).toMatchObject({ code: 0 });
	expect(await runCommand(home, ["tools", "new", "notes"])).toMatchObject({ code: 0 });
	const program = `return await tools.notes.addNote({ text: "${localKey} is the key" })`;
	const run = await runCommand(home, ["run", "--provider", "script", "--approve", "all", "--json", program]);
	expect(run.code, run.stderr).toBe(0);
	const { stdout } = await runCommand(home, ["receipts", "list", "--json"]);
	const receipts = z.array(z.looseObject({ receiptId: z.string() })).parse(JSON.parse(stdout));
	expect(receipts.length).toBeGreaterThan(2);
	expect(stdout).toContain("[redacted] is the key");
	for (const said of [stdout, (await runCommand(home, ["approvals", "list", "--json"])).stdout, (await runCommand(home, ["logs"])).stdout])
		expect(said).not.toContain(localKey);
});

it("a file that a person has damaged is said, left as it is, and used again when it is mended", async () => {
	const whole = await readFile(file(), "utf8");
	await writeFile(file(), whole.slice(0, -20));
	const damaged = await auth(["list"]);
	expect(damaged).toMatchObject({
		code: 1,
		stdout: expect.stringMatching(/auth-profiles\.json is not JSON\. \(ACCOUNTS_DAMAGED\)\n {2}Correct the file/),
	});
	expect((await runCommand(home, ["doctor"])).stdout).toMatch(/^PROBLEM {2}accounts: .*is not JSON/m);
	expect(await auth(["remove", "openai:local", "--yes"])).toMatchObject({ code: 1, stderr: expect.stringContaining("(ACCOUNTS_DAMAGED)") });
	expect(await readFile(file(), "utf8")).toBe(whole.slice(0, -20));
	await writeFile(file(), whole);
	expect(await auth(["remove", "openai:local", "--yes"])).toMatchObject({ code: 0, stdout: "Removed openai:local and its credential.\n" });
	expect((await readdir(home.xworkmate)).filter((name) => name.startsWith("auth"))).toEqual(["auth-profiles.json"]);
});
