import { type AuthProfile, AuthProfileId, ContractError, type MethodParams } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { AppApi } from "../../../src/api/app-api.ts";
import { createProgram, type ProgramContext } from "../../../src/cli/program.ts";
import { localTime } from "../../../src/text/local-time.ts";
import { RecordingConsole } from "../../support/recording-console.ts";

const local = (at: string) => localTime(at, Date.now());
const token = `sk-ant-oat01-${"Abc-_9".repeat(14)}`;
const manual: AuthProfile = { profileId: AuthProfileId.parse("anthropic:manual"), provider: "anthropic", type: "token", state: "ready" };
const cooling: AuthProfile = {
	...{ profileId: AuthProfileId.parse("openai:env"), provider: "openai", type: "none", variable: "OPENAI_BASE_URL", state: "cooling" },
	...{ reason: "rate_limited", until: "2026-01-01T00:05:00.000Z", model: "m\u001b[31m1", lastUsedAt: "2026-01-01T00:00:00.000Z" },
};
const problem = { code: "ACCOUNTS_EXPOSED", message: "Other users may open it.", fix: "Make it private: chmod 600 x" };

/** Runs a command against an app of which only the methods about accounts are there. */
async function ran(args: readonly string[], more: Partial<AppApi> & { secret?: string } = {}) {
	const console = new RecordingConsole();
	const set: MethodParams<"xworkmate.auth.set">[] = [];
	const asked: (string | undefined)[] = [];
	let code: number | undefined;
	let said = "";
	const api: Partial<AppApi> = {
		accounts: async () => ({ profiles: [manual, cooling] }),
		setAccount: async (params) => {
			set.push(params);
			return { ...manual, profileId: params.profileId ?? manual.profileId };
		},
		...more,
	};
	const absent = () => Promise.reject(new Error("not part of this"));
	const context: ProgramContext = {
		version: "1",
		console,
		withApp: (use) => use(api as AppApi),
		onInterrupt: () => () => undefined,
		onLeave: () => () => undefined,
		...{ background: absent, backup: absent, config: absent, restore: absent, stop: absent },
		...{ start: absent, bridge: absent, doctor: absent, service: absent, logs: absent, checkTools: absent, open: absent, openPage: absent },
		confirm: async () => false,
		inTerminal: absent,
		variable: () => undefined,
		readSecret: async (question, lead) => {
			asked.push(lead, question);
			return more.secret ?? "";
		},
		done: (ended) => {
			code = ended;
		},
	};
	const program = createProgram(context);
	const write = (text: string) => {
		said += text;
	};
	for (const part of [program, ...program.commands.flatMap((group) => [group, ...group.commands.flatMap((one) => [one, ...one.commands])])])
		part.configureOutput({ writeOut: write, writeErr: write });
	const error = await program.parseAsync(["auth", ...args], { from: "user" }).then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	return { lines: console.lines, notes: console.notes, set, asked, code, said, error };
}

describe("`auth`", () => {
	it("[T1-48] [T1-75] setup-token asks to run `claude setup-token`, then takes what is pasted", async () => {
		const { set, asked, lines, code } = await ran(["anthropic", "setup-token"], { secret: ` ${token}\n` });
		expect(asked[0]).toContain("Run `claude setup-token` in another terminal.");
		expect(set).toEqual([{ provider: "anthropic", credential: { type: "token", token: ` ${token}\n` } }]);
		expect(code).toBe(0);
		expect(lines[0]).toBe("Saved anthropic:manual. It is now the first account tried for its provider.");
		expect(lines.join()).not.toContain(token);
	});

	it("api-key stores a key of either maker, under a name if one is given", async () => {
		expect((await ran(["openai", "api-key", "--name", "local"], { secret: "a-key-123" })).set).toEqual([
			{ provider: "openai", profileId: "openai:local", credential: { type: "api_key", key: "a-key-123" } },
		]);
		expect((await ran(["openai", "api-key", "--name", "local", "--replace"], { secret: "a-key-456" })).set).toMatchObject([
			{ replace: true },
		]);
		expect((await ran(["openai", "api-key", "--replace"], { secret: "a-key-456" })).set).toEqual([]);
		expect((await ran(["anthropic", "api-key", "--json"], { secret: "k" })).lines).toEqual([JSON.stringify(manual)]);
	});

	it.for([
		["anthropic", "setup-token", token],
		["anthropic", token],
		["openai", "api-key", `--key=${token}`],
		["anthropic", "api-key", "--name", "work", token],
	])("refuses a credential as an argument, with the reason, and does not repeat it: %j", async (args, { expect }) => {
		const { set, asked, said, error } = await ran(args, { secret: token });
		expect(error).toMatchObject({ exitCode: 2, code: "xworkmate.secretAsArgument" });
		expect(said).toContain("your shell keeps them in its history");
		expect(said + String(error)).not.toContain(token);
		expect([set, asked]).toEqual([[], []]);
	});

	it.for([
		["anthropic", token],
		["openai", "apikey"],
		["anthropic", `--key=${token}`],
	])("says of a word that is no command that there is none, and where the commands are: %j", async (args, { expect }) => {
		const { said } = await ran(args, { secret: token });
		expect(said).toContain("There is no such command or option.");
		expect(said).toContain("Run one of the commands that --help lists");
		expect((await ran([args[0] ?? "", "--help"])).said).toContain("api-key");
		expect(said).not.toContain("Run the command without it");
		expect((await ran(["anthropic", "api-key", token])).said).toContain("Run the command without it");
	});

	it.for(["", " \n", "x".repeat(5000)])("stores nothing when what is pasted cannot be a credential: %j", async (secret, { expect }) => {
		const { error } = await ran(["anthropic", "setup-token"], {
			secret,
			setAccount: () => Promise.reject(new ContractError("CREDENTIAL_INVALID")),
		});
		expect(error).toMatchObject({ code: secret === " \n" ? "CREDENTIAL_INVALID" : "INVALID_INPUT" });
	});

	it("list says of each account what it is and whether it can be used", async () => {
		expect((await ran([])).lines).toEqual([
			"anthropic:manual  token  available",
			`openai:env  no credential from OPENAI_BASE_URL  rate limited until ${local("2026-01-01T00:05:00.000Z")} for m1  last used ${local("2026-01-01T00:00:00.000Z")}`,
		]);
		const states: readonly [Partial<AuthProfile>, string][] = [
			[{ state: "expired", expiresAt: "2026-01-01T00:00:00.000Z" }, `expired (${local("2026-01-01T00:00:00.000Z")})`],
			[{ state: "missing", variable: "PLAN" }, "PLAN is not set to a credential"],
			[
				{ state: "cooling", reason: "auth", until: "2026-01-01T00:10:00.000Z" },
				`rejected, skipped until ${local("2026-01-01T00:10:00.000Z")}`,
			],
			[
				{ state: "cooling", reason: "billing", until: "2026-01-01T01:00:00.000Z" },
				`out of credit, skipped until ${local("2026-01-01T01:00:00.000Z")}`,
			],
		];
		for (const [more, words] of states)
			expect((await ran(["list"], { accounts: async () => ({ profiles: [{ ...manual, ...more }] }) })).lines[0]).toContain(words);
	});

	it("list says what to do when there is no account, and what is wrong with the file", async () => {
		const none = await ran(["list"], { accounts: async () => ({ profiles: [] }) });
		expect(none.lines).toEqual([
			"There are no accounts.",
			"Use your Claude subscription: npm run -s xworkmate -- auth anthropic setup-token",
			expect.stringContaining("auth openai api-key"),
		]);
		expect(none.code).toBe(0);
		const listed = await ran(["list"], { accounts: async () => ({ profiles: [manual], problem }) });
		expect(listed.lines[0]).toBe("anthropic:manual  token  used only if a message names it, until the accounts file is fixed");
		const damaged = await ran(["list"], { accounts: async () => ({ profiles: [], problem }) });
		expect(damaged.lines).toEqual(["Other users may open it. (ACCOUNTS_EXPOSED)", "  Make it private: chmod 600 x"]);
		expect(damaged.code).toBe(1);
	});

	it("test ends with 1 when there is no account: nothing was found to work", async () => {
		const none = await ran(["test"], { accounts: async () => ({ profiles: [] }) });
		expect(none.lines[0]).toBe("There are no accounts.");
		expect(none.code).toBe(1);
	});

	it("says that OpenAI has no setup token, and does not take the word for a credential", async () => {
		const { said } = await ran(["openai", "setup-token"]);
		expect(said).toContain("OpenAI's protocol has no setup token. Add an API key: npm run -s xworkmate -- auth openai api-key");
		expect(said).not.toContain("other programs can read");
	});

	it("order and remove pass on what they were asked", async () => {
		const done: unknown[] = [];
		const note = async (params: unknown) => {
			done.push(params);
			return { profiles: [manual] };
		};
		await ran(["order", "anthropic", "anthropic:b", "anthropic:manual"], { orderAccounts: note });
		const removed = await ran(["remove", "anthropic:b", "--yes"], { removeAccount: note });
		expect(done).toEqual([{ provider: "anthropic", profileIds: ["anthropic:b", "anthropic:manual"] }, { profileId: "anthropic:b" }]);
		expect(removed.lines).toEqual(["Removed anthropic:b and its credential."]);
		// The credential is in a variable.
		expect((await ran(["remove", "openai:env", "--yes"], { removeAccount: note })).lines).toEqual(["Removed openai:env."]);
	});

	it("test tests one account or all, and ends with 1 if one does not work", async () => {
		const testAccount: AppApi["testAccount"] = async ({ profileId }) =>
			profileId === "anthropic:manual"
				? { profile: manual, ok: true, tookMs: 400 }
				: { profile: cooling, ok: false, tookMs: 20_000, problem: { code: "PROVIDER_SILENT", message: "It was silent.", fix: "Look." } };
		const all = await ran(["test"], { testAccount });
		expect(all.lines).toEqual([
			expect.stringMatching(/^anthropic:manual {2}works \(answered in /),
			"openai:env  FAILED  It was silent. (PROVIDER_SILENT)",
			"  Look.",
		]);
		expect(all.code).toBe(1);
		expect(await ran(["test", "anthropic:manual"], { testAccount })).toMatchObject({ code: 0 });
		expect(await ran(["test"], { accounts: async () => ({ profiles: [], problem }) })).toMatchObject({ code: 1 });
	});

	it("test says what is wrong with the accounts file, which makes it end with 1 though an account works", async () => {
		const testAccount: AppApi["testAccount"] = async () => ({ profile: manual, ok: true, tookMs: 400 });
		const tested = await ran(["test"], { testAccount, accounts: async () => ({ profiles: [manual], problem }) });
		expect([tested.code, tested.lines.slice(1)]).toEqual([
			1,
			["Other users may open it. (ACCOUNTS_EXPOSED)", "  Make it private: chmod 600 x"],
		]);
	});

	it("test says by this computer's clock when an account expired", async () => {
		const at = "2026-01-01T00:05:00.000Z";
		const expired = { code: "CREDENTIAL_EXPIRED", message: `anthropic:manual expired (${at}).`, fix: "Replace it." };
		const testAccount: AppApi["testAccount"] = async () => ({ profile: manual, ok: false, tookMs: 0, problem: expired });
		const { lines } = await ran(["test", "anthropic:manual"], { testAccount });
		expect(lines).toEqual([`anthropic:manual  FAILED  anthropic:manual expired (${local(at)}). (CREDENTIAL_EXPIRED)`, "  Replace it."]);
	});
});
