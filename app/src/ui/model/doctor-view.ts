import type { Capabilities, ProviderCapability } from "@xworkmate/contracts";
import type { BridgeView, SettingsView } from "../../core/ui-api.ts";
import type { Finding } from "../../doctor/finding.ts";
import { count, fill, words } from "../words/interface.ts";

const EMBEDDED = "script";
const say = words.doctor;

export interface DoctorHead {
	readonly title: string;
	readonly lead: string;
}

interface KnownProviders {
	readonly capabilities?: Pick<Capabilities, "providers">;
}

/** The one sentence that a person came for, and how many agents stand behind it. */
export function doctorHead({ state, trouble, capabilities }: Pick<BridgeView, "state" | "trouble"> & KnownProviders): DoctorHead {
	if (state !== "connected" || trouble !== undefined || capabilities === undefined) return { title: say.noBridge, lead: say.noBridgeSay };
	const agents = capabilities.providers.filter(({ target, providerId }) => target === "agent" && providerId !== EMBEDDED);
	const ready = agents.filter(({ available }) => available).length;
	const gateway = gatewayOf(capabilities.providers);
	const isSetUp = gateway !== undefined && gateway.unavailable?.code !== "GATEWAY_NOT_CONFIGURED";
	const lead = fill(say.ready, { ready, all: count(agents.length, "agent") });
	if (ready === 0 && gateway?.available !== true) return { title: isSetUp ? say.onlyScriptNoGateway : say.onlyScript, lead };
	return { title: isSetUp && !gateway.available ? say.noGateway : say.works, lead };
}

export function gatewayOf(providers: readonly ProviderCapability[]): ProviderCapability | undefined {
	return providers.find(({ target }) => target === "gateway");
}

/** What can be used first, the embedded one before all; the rest as the bridge lists them. */
export function agentsInOrder(providers: readonly ProviderCapability[]): readonly ProviderCapability[] {
	const rank = ({ providerId, available }: ProviderCapability) => (providerId === EMBEDDED ? 0 : available ? 1 : 2);
	return providers.filter(({ target }) => target === "agent").toSorted((one, other) => rank(one) - rank(other));
}

/** The plugin inside the gateway: known only when the gateway answers. */
export type PluginState = "ready" | "wrong" | "unknown";

export function pluginState({ available, unavailable }: Pick<ProviderCapability, "available" | "unavailable">): PluginState {
	if (available) return "ready";
	return unavailable?.code.startsWith("GATEWAY_PLUGIN_") === true ? "wrong" : "unknown";
}

/** Findings that no other part of the page shows: providers have rows of their own. */
export function ownFindings(findings: readonly Finding[], providers: readonly ProviderCapability[]): readonly Finding[] {
	const shown = new Set(providers.map(({ target, providerId }) => `${target} ${providerId}`));
	return findings.filter(({ about }) => !shown.has(about));
}

/** Everything that was found as text, to take along; nothing secret is in any of it. */
export function doctorReport(findings: readonly Finding[], { version, set }: Pick<SettingsView, "version" | "set">): string {
	const lines = findings.flatMap(({ state, about, message, fix }) => [
		`${state.padEnd(7)} ${about}: ${message}`,
		...(fix === undefined ? [] : [`        ${fix}`]),
	]);
	return [`XWorkmate ${version}`, ...lines, `set: ${set.join(", ") || words.settings.nothingSet}`, ""].join("\n");
}
