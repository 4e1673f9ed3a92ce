import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { runCommand } from "../../support/app/command.ts";
import { type StartedApp, startApp } from "../../support/app/started-app.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";

// Every command here runs beside one running `xworkmate start`, except `tools check`, which needs no bridge.
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

const Integration = z.looseObject({ state: z.string(), toolHash: z.string() });
const tools = (...args: string[]) => runCommand(home, ["tools", ...args]);

it("writes a first integration, checks it, and accepts a change only as the version that was seen", async () => {
	expect(await tools()).toMatchObject({ code: 0, stdout: expect.stringContaining("There are no tools.") });
	const written = await tools("new", "notes");
	expect(written.code, written.stderr).toBe(0);
	expect(written.stdout).toMatch(/^notes {2}active {2}version [0-9a-f]{12}\n {2}notes\.note\.add {2}write {2}\(addNote\)\n/);
	const folder = join(home.xworkmate, "tools", "notes");
	const file = join(folder, "tools.ts");
	expect(await tools("check", folder)).toMatchObject({
		code: 0,
		stdout: "No problems found. Tools: notes.note.add (write), notes.note.list (read).\n",
	});

	const nowhere = join(home.xworkmate, "tools", "nowhere");
	expect(await tools("check", nowhere)).toMatchObject({
		code: 1,
		stdout: "",
		stderr: expect.stringContaining(`There is no folder ${nowhere}.`),
	});

	await appendFile(file, 'const wrong: number = "text";\nexport const same = wrong;\n');
	const line = (await readFile(file, "utf8")).split("\n").indexOf('const wrong: number = "text";') + 1;
	const checked = await tools("check", folder);
	expect(checked).toMatchObject({
		code: 1,
		stdout: `tools.ts:${line}:7: TS2322: Type 'string' is not assignable to type 'number'. (TYPES)\n`,
	});

	const reloaded = await tools("reload", "notes");
	expect(reloaded).toMatchObject({ code: 0, stdout: expect.stringContaining("notes  not accepted") });
	const findings = await runCommand(home, ["doctor"]);
	expect(findings.stdout).toContain(
		"note     tools notes: The code has not been accepted yet, so every call that no rule denies asks for approval.",
	);
	expect(await tools("accept", "notes", "--hash", "0".repeat(12))).toMatchObject({
		code: 1,
		stderr: expect.stringContaining("(TOOL_CHANGED)"),
	});
	const { stdout } = await tools("list", "--json");
	const [seen] = z.object({ integrations: z.array(Integration) }).parse(JSON.parse(stdout)).integrations;
	expect(await tools("accept", "notes", "--hash", seen?.toolHash ?? "")).toMatchObject({ code: 0 });

	expect(await tools("policy", "notes.note.add", "deny")).toMatchObject({ code: 0, stdout: "Your rule for notes.note.add: deny.\n" });
	expect((await tools()).stdout).toContain("notes.note.add  write  your rule: deny  (addNote)");
	expect(await tools("policy", "notes.note.none", "deny")).toMatchObject({ code: 1 });

	await writeFile(file, "export const a = ;\n");
	expect(await tools("reload")).toMatchObject({ code: 1, stdout: expect.stringContaining("tools.ts:1:18: Expression expected (SYNTAX)") });
	expect((await runCommand(home, ["doctor"])).stdout).toContain("PROBLEM  tools notes: tools.ts:1:18: Expression expected (SYNTAX)");
	expect(await tools("new", "notes")).toMatchObject({
		code: 1,
		stderr: expect.stringContaining("An integration named notes already exists."),
	});
	expect(await tools("add", "nothing")).toMatchObject({ code: 1 });
});
