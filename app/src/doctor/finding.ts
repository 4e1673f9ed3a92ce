import {
	type AuthProfile,
	type AuthProfiles,
	type Capabilities,
	gatewayNotSetUp,
	type Integration,
	type Operator,
	omitUndefined,
	type ProviderCapability,
	providersFile,
} from "@xworkmate/contracts";
import type { GatewayQueueView } from "../api/app-api.ts";
import type { Finding } from "../api/ui-api.ts";
import { ASSISTANT } from "../strings/codes.ts";
import { accountState, isUsable } from "../text/agents/account-state.ts";
import { testedState } from "../text/agents/tested-state.ts";
import { capitalized } from "../text/capital.ts";
import { commandLine } from "../text/command-line.ts";
import { localTime, messageInLocalTime } from "../text/local-time.ts";
import { howToStop, type RunningProcess, runningWords } from "../text/running-words.ts";

/** One finding for each of the bridge's providers, for a missing gateway, and, as a problem, for the lack of any available provider. */
export function providerFindings({ providers }: Pick<Capabilities, "providers">): readonly Finding[] {
	const findings = [...providers.map(providerFinding), ...missingGateway(providers)];
	if (providers.some((provider) => provider.available)) return findings;
	return [
		...findings,
		{ about: "providers", state: "problem", message: "No agent is available.", fix: "Follow the advice for one of the agents above." },
	];
}

function providerFinding(provider: ProviderCapability): Finding {
	const about = provider.providerId === providersFile ? providersFile : `${provider.target} ${provider.providerId}`;
	if (provider.available) {
		const models =
			provider.models === undefined || provider.models.length === 0 ? "" : `, models: ${provider.models.slice(0, 5).join(", ")}`;
		return { about, ...foundFinding(provider, models) };
	}
	const { code, message, fix } = provider.unavailable ?? {
		code: "UNKNOWN",
		message: "Not available, and no reason was given.",
		fix: `Read the bridge's log: ${commandLine("logs")}`,
	};
	// An agent may be missing, but a provider that was defined in providers.json and a configured gateway should work.
	const broken = provider.target === "gateway" ? code !== NOT_CONFIGURED : code === "PROVIDER_MISCONFIGURED";
	return { about, state: broken ? "problem" : "note", message: `${message} (${code})`, fix };
}

/** The finding about an available agent on this computer. Whether it works is known only after a test or a run. */
function foundFinding({ label, providerId, lastTest, ...provider }: ProviderCapability, models: string): Omit<Finding, "about"> {
	const when = lastTest === undefined ? "" : ` (${localTime(lastTest.at, Date.now())})`;
	const { answeredAt, failedRun } = provider;
	const answered = answeredAt === undefined ? "" : `; it answered in a run (${localTime(answeredAt, Date.now())})`;
	switch (testedState({ ...provider, providerId, ...omitUndefined({ lastTest }) })) {
		case "ready":
			// An account may be available although its server is not, so only an answer shows that the assistant works.
			if (providerId === ASSISTANT && when === "" && answered === "") return { state: "ok", message: `${label} is set up${models}.` };
			return { state: "ok", message: `${label} is ready${models}${when === "" ? answered : `; it answered its last test${when}`}.` };
		case "untested":
			return {
				state: "note",
				message: `${label} was found but not tested yet.`,
				fix: `Test it: ${commandLine(`agents test ${providerId}`)}`,
			};
		case "failed": {
			const { message = "", code = "", fix } = (failedRun ?? lastTest)?.problem ?? {};
			const why = `${messageInLocalTime(code, message, Date.now()).split("\n", 1)[0] ?? ""} (${code})`;
			const failed =
				failedRun === undefined ? `failed its last test${when}` : `is not ready; a run failed (${localTime(failedRun.at, Date.now())})`;
			return { state: "note", message: `${label} ${failed}: ${why}`, ...omitUndefined({ fix }) };
		}
	}
}

const NOT_CONFIGURED = "GATEWAY_NOT_CONFIGURED";

function missingGateway(providers: readonly ProviderCapability[]): readonly Finding[] {
	if (providers.some(({ target }) => target === "gateway")) return [];
	return [{ about: "gateway openclaw", state: "note", ...gatewayNotSetUp }];
}

/** Integrations that did not load, or whose code the user has not accepted. */
export function toolFindings(integrations: readonly Integration[]): readonly Finding[] {
	return integrations.flatMap(({ integration, state, problems }): Finding[] => {
		const about = `tools ${integration}`;
		if (state === "unaccepted") {
			const fix = `Review the code, then accept it: ${commandLine(`tools accept ${integration}`)}`;
			const message = "The code has not been accepted yet, so every call that no rule denies asks for approval.";
			return [{ about, state: "note", message, fix }];
		}
		const [problem] = problems;
		if (state !== "failed" || problem === undefined) return [];
		const place = [problem.file, problem.line, problem.column].filter((part) => part !== undefined).join(":");
		const message = `${place === "" ? "" : `${place}: `}${problem.message} (${problem.code})`;
		return [
			{
				about,
				state: "problem",
				message,
				fix: `Fix the problem, then reload the integration: ${commandLine(`tools reload ${integration}`)}`,
			},
		];
	});
}

/** How many accounts are available now, then each account that is not, with the reason; a note if there are no accounts. */
export function accountFindings({ profiles, problem }: AuthProfiles): readonly Finding[] {
	const about = "accounts";
	if (problem !== undefined) return [{ about, state: "problem", message: `${problem.message} (${problem.code})`, fix: problem.fix }];
	const usable = profiles.filter(isUsable);
	const others = profiles.filter(({ state }) => state !== "ready").map(accountFinding);
	const add = `Use your Claude subscription: ${commandLine("auth anthropic setup-token")}`;
	if (profiles.length === 0) return [{ about, state: "note", message: "There are no accounts, so the assistant can't be used.", fix: add }];
	const count = `${usable.length} of ${profiles.length} available now`;
	const [first] = usable;
	if (first !== undefined) return [{ about, state: "ok", message: `${count}, starting with ${first.profileId}.` }, ...others];
	const soonest = profiles.flatMap((profile) => (onlyWaits(profile) && profile.until !== undefined ? [profile.until] : [])).toSorted()[0];
	// Adding a rejected account again would not help; each account's finding below says what would.
	const mend = `Follow the advice for one of the accounts below, or add another: ${commandLine("auth --help")}`;
	if (soonest === undefined) return [{ about, state: "problem", message: `${count}.`, fix: mend }, ...others];
	const fix = `Wait until then, or add another account: ${commandLine("auth --help")}`;
	return [{ about, state: "note", message: `${count}. Next available: ${localTime(soonest, Date.now())}.`, fix }, ...others];
}

function onlyWaits({ state, reason }: AuthProfile): boolean {
	return state === "cooling" && reason === "rate_limited";
}

function accountFinding(profile: AuthProfile): Finding {
	const { profileId, state, reason, variable } = profile;
	const waits = state === "cooling" && reason !== "auth";
	const fix =
		state === "missing" && variable !== undefined
			? `Set ${variable} in the terminal where you start XWorkmate, then restart it. For a service, which gets no variables from a terminal, add the credential itself: ${commandLine("auth --help")}`
			: reason === "billing"
				? "Add credit with the provider, or use another account."
				: waits
					? "Wait, or use another account."
					: `Replace its credential: ${commandLine("auth --help")}`;
	return { about: `account ${profileId}`, state: waits ? "note" : "problem", message: `${capitalized(accountState(profile))}.`, fix };
}

/** The chat services through which the user talks to the bridge, if any are set up. */
export function operatorFindings(operators: readonly Operator[]): readonly Finding[] {
	return operators.flatMap(({ operatorId, state, account, findings, unknownPosts }): Finding[] => {
		if (state === "off") return [];
		const about = operatorId;
		const problems = findings.map(({ code, message, fix }): Finding => {
			return { about, state: "problem", message: `${messageInLocalTime(code, message, Date.now())} (${code})`, fix };
		});
		const unknown =
			unknownPosts === 1
				? "1 post may not have arrived. To see what it was about, open its thread or plan in XWorkmate."
				: `${unknownPosts} posts may not have arrived. To see what they were about, open their threads or plans in XWorkmate.`;
		const notes: Finding[] = unknownPosts === 0 ? [] : [{ about, state: "note", message: unknown }];
		if (problems.length > 0) return [...problems, ...notes];
		const bot = account ?? "a bot";
		const message = {
			connecting: "Connecting.",
			connected: `Connected as ${bot}.`,
			slowed: `Connected as ${bot}, but rate limited by Discord.`,
			lost: "Not connected.",
			refused: "Not connected.",
		}[state];
		return [{ about, state: "ok", message }, ...notes];
	});
}

/** The app's OpenClaw queue: its limits, its contents, and why it is paused. */
export function queueFindings(
	{ limits: { openclaw }, providers }: Pick<Capabilities, "limits" | "providers">,
	gatewayQueue: GatewayQueueView,
): readonly Finding[] {
	const { active, waiting, paused } = gatewayQueue;
	const configured = providers.some(({ target, unavailable }) => target === "gateway" && unavailable?.code !== NOT_CONFIGURED);
	if (waiting.length === 0 && !configured) return [];
	const bounds = `${openclaw.maxActive} at a time, up to ${openclaw.maxQueued} queued`;
	const message = `${bounds}. Now ${active.length} running, ${waiting.length} queued.`;
	if (paused === undefined) return [{ about: "OpenClaw queue", state: "ok", message }];
	// The gateway's own finding already has this message and fix.
	const said = providers.some(({ unavailable }) => unavailable?.code === paused.code);
	const why = `${message} Paused: ${said ? paused.code : `${paused.message} (${paused.code})`}`;
	const fix = said ? undefined : paused.fix;
	return [{ about: "OpenClaw queue", state: "problem", message: why, ...omitUndefined({ fix }) }];
}

/** How the app runs, and how to end it. */
export function runningFinding(running: RunningProcess): Finding {
	return { about: "app", state: "ok", message: runningWords(running, Date.now()), fix: howToStop(running) };
}
