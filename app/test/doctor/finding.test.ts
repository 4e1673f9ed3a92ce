import { type AuthProfile, AuthProfileId, ProviderId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { accountFindings, operatorFindings, providerFindings, queueFindings } from "../../src/doctor/finding.ts";
import { queueStateOf } from "../../src/gateway-queue/index.ts";
import { localTime } from "../../src/text/local-time.ts";
import { fakeCapabilities } from "../support/fake-capabilities.ts";

const openclaw = { maxActive: 2, maxQueued: 20 };
const empty = { limits: openclaw, ...queueStateOf([]) };

it("an agent of providers.json that can't be read is a problem, and one that is not installed is a note", () => {
	const agent = (providerId: string, code: string) => ({
		...{ providerId: ProviderId.parse(providerId), label: providerId, target: "agent" as const, available: false },
		...{ features: { approvals: false, followUp: false, resume: false, attachments: false } },
		unavailable: { code, message: "/home/providers.json:3: The file is not JSON.", fix: "Correct providers.json." },
	});
	const { providers } = fakeCapabilities(openclaw, { available: true });
	const broken = [agent("providers.json", "PROVIDER_MISCONFIGURED"), agent("goose", "PROVIDER_NOT_INSTALLED")];
	expect(providerFindings({ providers: [...providers, ...broken] }).filter(({ state }) => state === "problem")).toEqual([
		{
			about: "providers.json",
			state: "problem",
			message: "/home/providers.json:3: The file is not JSON. (PROVIDER_MISCONFIGURED)",
			fix: "Correct providers.json.",
		},
	]);
});

describe("what doctor says of the gateway", () => {
	it("that there is none is a note, with the way to one", () => {
		const findings = providerFindings(fakeCapabilities(openclaw, undefined));
		const [gateway] = findings.filter(({ about }) => about === "gateway openclaw");
		expect(gateway).toMatchObject({
			state: "note",
			message: "OpenClaw isn't set up.",
			// The variables reach the bridge only through the process that starts it.
			fix: expect.stringMatching(/^Set "Gateway address" and "Gateway token" under Settings > OpenClaw, then restart the bridge/),
		});
		expect(queueFindings(fakeCapabilities(openclaw, undefined), empty)).toEqual([]);
	});

	it.each(["GATEWAY_UNREACHABLE", "GATEWAY_TOKEN_WRONG", "GATEWAY_PLUGIN_MISSING", "GATEWAY_PAIRING_NEEDED"])(
		"one that is configured and cannot be used is a problem in the bridge's words: %s",
		(code) => {
			const unavailable = { code, message: "it does not work", fix: "Make it work." };
			const findings = providerFindings(fakeCapabilities(openclaw, { available: false, unavailable }));
			expect(findings[0]).toEqual({
				about: "gateway openclaw",
				state: "problem",
				message: `it does not work (${code})`,
				fix: "Make it work.",
			});
		},
	);

	it("one that is not configured, says the bridge, is a note", () => {
		const unavailable = { code: "GATEWAY_NOT_CONFIGURED", message: "no address", fix: "Set one." };
		const capabilities = fakeCapabilities(openclaw, { available: false, unavailable });
		expect(providerFindings(capabilities)[0]?.state).toBe("note");
		expect(queueFindings(capabilities, empty)).toEqual([]);
	});

	it("the queue: its bounds, what is in it, and why it is paused", () => {
		const capabilities = fakeCapabilities(openclaw, { available: true });
		expect(queueFindings(capabilities, empty)).toEqual([
			{ about: "OpenClaw queue", state: "ok", message: "2 at a time, up to 20 queued. Now 0 running, 0 queued." },
		]);
		const paused = { code: "GATEWAY_UNREACHABLE", message: "it is away", fix: "Start it." };
		const away = fakeCapabilities(openclaw, { available: false, unavailable: paused });
		expect(queueFindings(away, { ...empty, paused })).toEqual([
			{
				about: "OpenClaw queue",
				state: "problem",
				message: "2 at a time, up to 20 queued. Now 0 running, 0 queued. Paused: GATEWAY_UNREACHABLE",
			},
		]);
		expect(queueFindings(capabilities, { ...empty, paused })).toEqual([
			{
				about: "OpenClaw queue",
				state: "problem",
				message: "2 at a time, up to 20 queued. Now 0 running, 0 queued. Paused: it is away (GATEWAY_UNREACHABLE)",
				fix: "Start it.",
			},
		]);
	});
});

describe("what doctor says of accounts", () => {
	const account = (name: string, more: Partial<AuthProfile> = {}): AuthProfile => ({
		...{ profileId: AuthProfileId.parse(`anthropic:${name}`), provider: "anthropic", type: "token", state: "ready" },
		...more,
	});

	it("that there is none is a note, with the way to one", () => {
		expect(accountFindings({ profiles: [] })).toEqual([
			{
				...{ about: "accounts", state: "note", message: "There are no accounts, so the assistant can't be used." },
				fix: "Use your Claude subscription: npm run -s xworkmate -- auth anthropic setup-token",
			},
		]);
	});

	it("a file that cannot be used is a problem in the bridge's words", () => {
		const problem = { code: "ACCOUNTS_EXPOSED", message: "Other users may open it.", fix: "Make it private: chmod 600 x" };
		expect(accountFindings({ profiles: [], problem })).toEqual([
			{ about: "accounts", state: "problem", message: "Other users may open it. (ACCOUNTS_EXPOSED)", fix: problem.fix },
		]);
	});

	it("says how many can be used, and why the others can't", () => {
		const profiles = [
			account("a", { state: "cooling", reason: "rate_limited", until: "2026-01-01T00:05:00.000Z" }),
			account("b"),
			account("c", { state: "missing", variable: "PLAN" }),
			account("d", { state: "cooling", reason: "auth", until: "2026-01-01T00:10:00.000Z" }),
		];
		expect(accountFindings({ profiles }).map(({ state, message }) => `${state} ${message}`)).toEqual([
			"ok 1 of 4 available now, starting with anthropic:b.",
			`note Rate limited until ${localTime("2026-01-01T00:05:00.000Z", Date.now())}.`,
			"problem PLAN is not set to a credential.",
			`problem Rejected, skipped until ${localTime("2026-01-01T00:10:00.000Z", Date.now())}.`,
		]);
		const [summary, missing] = accountFindings({ profiles: profiles.slice(2) });
		expect(summary).toMatchObject({ state: "problem" });
		// A variable that is set in a terminal never reaches a service.
		expect(missing?.fix).toMatch(
			/^Set PLAN in the terminal .* For a service, .* add the credential itself: npm run -s xworkmate -- auth --help$/,
		);
		// The user may just have added what was rejected.
		expect(summary?.fix).toBe("Follow the advice for one of the accounts below, or add another: npm run -s xworkmate -- auth --help");
	});

	it("accounts that only have to wait are no problem, and none is to be bought for it", () => {
		const waiting = { state: "cooling", reason: "rate_limited" } as const;
		const profiles = [
			account("a", { ...waiting, until: "2026-01-01T00:30:00.000Z" }),
			account("b", { state: "missing", variable: "PLAN" }),
			account("c", { ...waiting, until: "2026-01-01T00:05:00.000Z" }),
		];
		expect(accountFindings({ profiles })[0]).toEqual({
			...{
				about: "accounts",
				state: "note",
				message: `0 of 3 available now. Next available: ${localTime("2026-01-01T00:05:00.000Z", Date.now())}.`,
			},
			fix: "Wait until then, or add another account: npm run -s xworkmate -- auth --help",
		});
	});
});

describe("findings about operators", () => {
	const discord = { operatorId: "discord", state: "connected", since: "2026-01-01T00:00:00.000Z", findings: [], unknownPosts: 0 } as const;

	it("are none for one that is not set up", () => {
		expect(operatorFindings([{ ...discord, state: "off", findings: [] }])).toEqual([]);
	});

	it("say who is connected", () => {
		expect(operatorFindings([{ ...discord, account: "xw-bot", findings: [] }])).toEqual([
			{ about: "discord", state: "ok", message: "Connected as xw-bot." },
		]);
	});

	it("say by the reader's clock when Discord refused a request", () => {
		const at = "2026-01-01T09:00:00.000Z";
		const finding = {
			code: "DISCORD_PERMISSION_MISSING",
			message: `Discord did not let the bot post in channel 300 at ${at}.`,
			fix: "Allow it.",
		} as const;
		expect(operatorFindings([{ ...discord, findings: [finding] }])[0]?.message).toBe(
			`Discord did not let the bot post in channel 300 at ${localTime(at, Date.now())}. (DISCORD_PERMISSION_MISSING)`,
		);
	});

	it("have each problem with its code and its fix, and posts that may have arrived", () => {
		const finding = { code: "DISCORD_NO_APPROVER", message: "No one can approve requests on Discord.", fix: "Set it." } as const;
		expect(operatorFindings([{ ...discord, findings: [finding], unknownPosts: 2 }])).toEqual([
			{ about: "discord", state: "problem", message: "No one can approve requests on Discord. (DISCORD_NO_APPROVER)", fix: "Set it." },
			{
				about: "discord",
				state: "note",
				message: "2 posts may not have arrived. To see what they were about, open their threads or plans in XWorkmate.",
			},
		]);
	});
});

it("calls the assistant ready only once it has answered: an account may be available although its server is not", () => {
	const assistant = (more: object) => ({
		...{ providerId: ProviderId.parse("assistant"), label: "Assistant", target: "agent" as const, available: true },
		...{ features: { approvals: true, followUp: true, resume: false, attachments: false } },
		...more,
	});
	const said = (more: object) => providerFindings({ providers: [assistant(more)] })[0]?.message;
	expect(said({})).toBe("Assistant is set up.");
	expect(said({ answeredAt: "2026-01-01T00:00:00.000Z" })).toMatch(/^Assistant is ready; it answered in a run \(/);
});

it("does not call an agent or the assistant ready whose last run failed because of it, and says when and why", () => {
	const problem = { code: "PROVIDER_LIMITED", message: "None until 2026-01-01T00:05:00.000Z.\nraw", fix: "Test it." };
	const failedRun = { at: "2026-01-01T00:00:00.000Z", problem };
	const agent = (own?: "agent") => ({
		...{ providerId: ProviderId.parse("one"), label: "One", target: "agent" as const, available: true, failedRun, ...(own && { own }) },
		features: { approvals: true, followUp: true, resume: false, attachments: false },
	});
	const local = (at: string) => localTime(at, Date.now());
	const message = `One is not ready; a run failed (${local(failedRun.at)}): None until ${local("2026-01-01T00:05:00.000Z")}. (PROVIDER_LIMITED)`;
	for (const own of [undefined, "agent"] as const)
		expect(providerFindings({ providers: [agent(own)] })[0]).toEqual({ about: "agent one", state: "note", message, fix: "Test it." });
});
