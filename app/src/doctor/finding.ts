import type { Capabilities, ProviderCapability } from "@xworkmate/contracts";

/** One thing that was looked at. */
export interface Finding {
	readonly about: string;
	readonly state: "ok" | "note" | "problem";
	readonly message: string;
	/** What to do about it. */
	readonly fix?: string;
}

/** What the bridge says of its providers: one finding each. A missing agent is no problem as long as one is there. */
export function providerFindings({ providers }: Pick<Capabilities, "providers">): readonly Finding[] {
	const findings = providers.map(providerFinding);
	if (providers.some((provider) => provider.available)) return findings;
	return [...findings, { about: "providers", state: "problem", message: "none is available", fix: "Install one of those above." }];
}

function providerFinding(provider: ProviderCapability): Finding {
	const about = `${provider.target} ${provider.providerId}`;
	if (provider.available) {
		const models =
			provider.models === undefined || provider.models.length === 0 ? "" : `, models: ${provider.models.slice(0, 5).join(", ")}`;
		return { about, state: "ok", message: `${provider.label} is ready${models}` };
	}
	const { code, message, fix } = provider.unavailable ?? {
		code: "UNKNOWN",
		message: "not available, without a reason",
		fix: "Look at the bridge's log.",
	};
	return { about, state: "note", message: `${message} (${code})`, fix };
}
