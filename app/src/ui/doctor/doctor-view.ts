import { type Capabilities, type ProviderCapability, providersFile } from "@xworkmate/contracts";
import type { BridgeView, Finding, SettingsView } from "../../api/ui-api.ts";
import { count, fill } from "../../strings/interface.ts";
import { doctorWords } from "../../strings/settings/doctor-words.ts";
import { settingsPageWords } from "../../strings/settings/settings-page-words.ts";
import { type TestedState, testedState } from "../../text/agents/tested-state.ts";
import { formatTime } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";

const EMBEDDED = "script";
const say = doctorWords;

export interface DoctorHead {
	readonly title: string;
	readonly lead: string;
}

interface Known extends Pick<BridgeView, "state" | "trouble"> {
	readonly capabilities?: Pick<Capabilities, "providers" | "storage" | "serverTime">;
	readonly clockAheadMs?: number;
}

/** What the page shows below the headline. */
export interface Checks {
	/** Undefined until the first checks have ended. */
	readonly findings: readonly Finding[] | undefined;
	/** Why the newest checks failed. */
	readonly problem?: string | undefined;
}

/**
 * The overall result in one sentence, with the facts that it is based on. The sentence does not say that everything is fine before the
 * checks have ended, or if they failed.
 */
export function doctorHead(bridge: Known, isAppHere = true, { findings, problem }: Checks = { findings: [] }): DoctorHead {
	const away = awayTitle(bridge, isAppHere);
	const { capabilities } = bridge;
	if (away !== undefined || capabilities === undefined) return { title: away ?? say.starting, lead: lastKnown(bridge) };
	const { providers, storage } = capabilities;
	const agents = providers.filter(
		({ target, providerId }) => target === "agent" && providerId !== EMBEDDED && providerId !== providersFile,
	);
	const counted = (state: TestedState) => agents.filter((agent) => agent.available && testedState(agent) === state).length;
	const [ready, untested, failing] = [counted("ready"), counted("untested"), counted("failed")];
	const gateway = gatewayOf(providers);
	const hasScript = providers.some(({ providerId, available }) => providerId === EMBEDDED && available);
	const lead = [
		fill(say.ready, { ready, all: count(agents.length, "agent") }),
		...(untested > 0 ? [fill(say.untested, { count: untested })] : []),
		...(failing > 0 ? [fill(say.failing, { count: failing })] : []),
		...(hasScript ? [say.plusScript] : []),
	].join(", ");
	if (storage?.freeBytes === 0) return { title: say.diskFull, lead };
	const trouble = gatewayTrouble(gateway);
	// Other titles say that the bridge is unreachable, that there is no agent, and what is wrong with the gateway, which pauses its queue.
	const said = ["bridge", "providers", ...(trouble === "none" ? [] : ["OpenClaw queue"])];
	const problems = (findings ?? []).filter(({ state, about }) => state === "problem" && !said.includes(about));
	const [first] = problems;
	if (problems.length > 1) return { title: fill(say.problems, { count: problems.length }), lead };
	if (first !== undefined) return { title: fill(say.problem, { about: visibleName(findingName(first.about)) }), lead };
	if (ready > 0 || gateway?.available === true) {
		const unchecked = problem !== undefined ? say.unchecked : findings === undefined ? say.checking : undefined;
		return { title: unchecked ?? say.worksWith[trouble], lead };
	}
	if (untested > 0) return { title: say.noneTested, lead };
	if (failing > 0) return { title: say.allFailing, lead };
	if (!hasScript) return { title: say.noAgent, lead };
	return { title: say.onlyScriptWith[trouble], lead };
}

/** Why nothing can run now, and the time of the status on the page; undefined if the bridge is connected. */
export function awayLead(bridge: Known): string | undefined {
	const away = awayTitle(bridge, true);
	return away && `${away} ${lastKnown(bridge)}`.trim();
}

/** What is wrong with a gateway that is set up. */
function gatewayTrouble(gateway: ProviderCapability | undefined): "none" | "away" | "unusable" {
	if (gateway === undefined || gateway.available || gateway.unavailable?.code === "GATEWAY_NOT_CONFIGURED") return "none";
	return pluginState(gateway) === "unknown" ? "away" : "unusable";
}

/** Why nothing can run now; undefined if the app is connected to the bridge. */
function awayTitle({ state, trouble }: Known, isAppHere: boolean): string | undefined {
	if (!isAppHere) return say.noApp;
	if (trouble !== undefined) return trouble.what === "silent" ? say.noBridge : say.restarting;
	switch (state) {
		case "connected":
			return undefined;
		case "starting":
			return say.starting;
		case "refused":
			return say.refused;
		case "unreachable":
			return say.noBridge;
	}
}

/** Says that the rest of the page shows the bridge's last answer, and when that was. */
function lastKnown({ capabilities, clockAheadMs = 0 }: Known): string {
	if (capabilities === undefined) return "";
	const at = new Date(Date.parse(capabilities.serverTime) - clockAheadMs).toISOString();
	return fill(say.lastKnown, { time: formatTime(at) });
}

export function gatewayOf(providers: readonly ProviderCapability[]): ProviderCapability | undefined {
	return providers.find(({ target }) => target === "gateway");
}

/**
 * Sorts the agents: Script first, then the available agents, then the others; otherwise in the bridge's order. Problems with providers.json
 * are shown as a finding.
 */
export function agentsInOrder(providers: readonly ProviderCapability[]): readonly ProviderCapability[] {
	const rank = ({ providerId, available }: ProviderCapability) => (providerId === EMBEDDED ? 0 : available ? 1 : 2);
	const isAgent = ({ target, providerId }: ProviderCapability) => target === "agent" && providerId !== providersFile;
	return providers.filter(isAgent).toSorted((one, other) => rank(one) - rank(other));
}

/** The codes of a gateway that is not connected, or whose state is unknown. A gateway with any other code is connected. */
const notConnected: ReadonlySet<string> = new Set([
	"AVAILABILITY_UNKNOWN",
	"GATEWAY_NOT_CONFIGURED",
	"GATEWAY_UNREACHABLE",
	"GATEWAY_STARTING",
	"GATEWAY_CONNECTING",
	"GATEWAY_LOCKED_OUT",
	"GATEWAY_NOT_TLS",
	"GATEWAY_PROTOCOL",
	"GATEWAY_TOKEN_MISSING",
	"GATEWAY_TOKEN_WRONG",
	"GATEWAY_PASSWORD_NEEDED",
	"GATEWAY_PAIRING_NEEDED",
	"GATEWAY_REFUSED",
	"GATEWAY_KEY_UNUSABLE",
]);

/** The state of the plugin inside the gateway. It is known only when the gateway is connected. */
export type PluginState = "ready" | "wrong" | "unknown";

export function pluginState({ available, unavailable }: Pick<ProviderCapability, "available" | "unavailable">): PluginState {
	if (available) return "ready";
	return unavailable === undefined || notConnected.has(unavailable.code) ? "unknown" : "wrong";
}

/** Findings that no other part of the page shows. Providers have their own rows. */
export function ownFindings(findings: readonly Finding[], providers: readonly ProviderCapability[]): readonly Finding[] {
	const shown = new Set(providers.map(({ target, providerId }) => `${target} ${providerId}`));
	return findings.filter(({ about }) => !shown.has(about));
}

/** The subject of a finding, in the page's words. */
export function findingName(about: string): string {
	const names: Readonly<Record<string, string>> = say.abouts;
	return Object.hasOwn(names, about) ? (names[about] ?? about) : about;
}

/** The findings of the checks that were made `at` a time. */
export interface DatedFindings {
	readonly findings: readonly Finding[];
	readonly at: string;
}

/** All findings as text, for copying. Contains no secrets. */
export function doctorReport({ findings, at }: DatedFindings, { version, set }: Pick<SettingsView, "version" | "set">): string {
	const lines = findings.flatMap(({ state, about, message, fix }) => [
		`${state.padEnd(7)} ${about}: ${message}`,
		...(fix === undefined ? [] : [`        ${fix}`]),
	]);
	return [`XWorkmate ${version}`, `checked ${at}`, ...lines, `set: ${set.join(", ") || settingsPageWords.none}`, ""].join("\n");
}
