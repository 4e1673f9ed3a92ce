import { describe, expect, it } from "vitest";
import { getConfig, secretConfig, setConfig } from "../../src/cli/config/config-commands.ts";
import { exitCodeOfError } from "../../src/cli/words/exit-code.ts";
import { AppError } from "../../src/errors/app-error.ts";
import { runAgainst } from "../support/command-scene.ts";
import { RecordingConsole } from "../support/recording-console.ts";
import { temporaryHome } from "../support/temporary-home.ts";

const message = ["plans", "create", "--dashboard", "--content"];

/** Runs a command, and collects what it asked of the app. */
async function typed(...args: string[]) {
	const asked: PropertyKey[] = [];
	const api = new Proxy(
		{},
		{
			get: (_, name) => () => {
				asked.push(name);
				return Promise.reject(new AppError("THREAD_NOT_FOUND", "Not there.", "List them."));
			},
		},
	);
	const { error, said } = await runAgainst(api, args);
	return { code: exitCodeOfError(error), asked, error, said };
}

describe("what can't be right, whatever is in the home", () => {
	it.each([
		[["nothing"]],
		[["run"]],
		[["run", " \n"]],
		[["run", "hi", "--provider", "Not An Id"]],
		[["run", "hi", "--model", ""]],
		[["threads", "tag", "t", "one, two"]],
		[["threads", "show", ""]],
		[["backup", ""]],
		[["restore", ""]],
		[["changes", "t", "--all"]],
		[["changes", "t", "--apply"]],
		[["changes", "t", "--message", "x"]],
		[["contacts", "add", "anna", "--name", "Anna"]],
		[["contacts", "add", "anna", "--name", " ", "--email", "anna@example.com"]],
		[["contacts", "add", "anna", "--name", "Anna", "--email", ""]],
		[["channels", "setup", "email"]],
		[["channels", "setup", "email", "--user", "me", "--password-env", "ABSENT"]],
		[["channels", "setup", "email", "--password"]],
		[["auth", "openai", "api-key"]],
		[[...message, ""]],
		[[...message, " \n", "--title", "T"]],
		[[...message, "x", "--in", "soon"]],
		[[...message, "x", "--timezone", "Nowhere"]],
		[["plans", "create", "--dashboard", "--instructions", "  "]],
		[["plans", "create", "Every day at 9", "--cron", "0 9 * * *"]],
		[["plans", "create", "--work", "x", "--model", "x".repeat(201)]],
		[["plans", "settle", "p"]],
		[["plans", "resend", "p", "--to", "Not An Id"]],
	])("%j exits with 2, and the app is not asked for anything", async (args) => {
		expect(await typed(...args)).toMatchObject({ code: 2, asked: [] });
	});

	it("and what is wrong with an argument is said in plain words", async () => {
		expect((await typed("threads", "show", "")).said).toContain(
			"error: the value '' is invalid for argument 'thread'. It must be the id of a thread.\n",
		);
	});

	it("also for a setting that does not exist, or a value that it can't have", async () => {
		using home = temporaryHome();
		const deps = { home: home.path, env: {}, console: new RecordingConsole() };
		const refused = [
			() => getConfig(deps, "nothing", false),
			() => setConfig(deps, "nothing", ["1"]),
			() => setConfig(deps, "maxActiveRuns", ["many"]),
			() => setConfig(deps, "maxActiveRuns", ["8", "9"]),
			() => setConfig(deps, "openclawToken", ["x"]),
			() => secretConfig(deps, "maxActiveRuns", async () => "x"),
			() => secretConfig(deps, "openclawToken", async () => " "),
		];
		for (const act of refused)
			expect(
				exitCodeOfError(
					await act().then(
						() => undefined,
						(error: unknown) => error,
					),
				),
				String(act),
			).toBe(2);
	});
});

it("asks for a secret only if there is one of that name", async () => {
	using home = temporaryHome();
	const deps = { home: home.path, env: {}, console: new RecordingConsole() };
	const asked: string[] = [];
	const read = (name: string) => async () => {
		asked.push(name);
		return "hunter2hunter2";
	};
	for (const name of ["nothing", "maxActiveRuns"])
		await expect(secretConfig(deps, name, read(name))).rejects.toMatchObject({ name: "WrongUsage" });
	expect(asked).toEqual([]);
	await secretConfig(deps, "openclawToken", read("openclawToken"));
	expect(asked).toEqual(["openclawToken"]);
});

it.each([
	[["run", "hi", "--attach", "/nowhere/a.txt"]],
	[["threads", "show", "t"]],
	[["threads", "delete", "t"]],
	[["changes", "t"]],
	[["plans", "watch"]],
	[["plans", "create", "Every day at 9"]],
	[["plans", "create", "--dashboard", "--content", "x", "--cron", "* * *"]],
	[["inbox", "show", "m"]],
	[["agents", "login", "a", "--method", "m"]],
])("%j exits with 1, because it depends on what is there", async (args) => {
	expect(await typed(...args)).toMatchObject({ code: 1 });
});

it.each([
	[["--name", " ", "--email", "anna@example.com"], "name"],
	[["--name", "Anna", "--email", "a".repeat(321)], "address"],
])("says what is wrong with a contact: %j", async (flags, what) => {
	const { error } = await typed("contacts", "add", "anna", ...flags);
	expect(error).toMatchObject({ name: "WrongUsage", message: expect.stringContaining(what), fix: expect.stringContaining(what) });
});
