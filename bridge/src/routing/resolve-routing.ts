import {
	ContractError,
	gatewayNotSetUp,
	omitUndefined,
	type ProviderCapability,
	type ProviderId,
	type Routing,
} from "@xworkmate/contracts";
import type { RunProvider } from "../ports/runs/run-record.ts";

export interface RoutingTerms {
	/** The setting XWORKMATE_DEFAULT_PROVIDER. */
	readonly providerId?: ProviderId;
	/** The account that the message requests. */
	readonly account?: string;
}

/**
 * Chooses the provider of a turn: the named one; otherwise the configured default; otherwise the only available one of the target, leaving
 * out the embedded provider and, if there is any other, the bridge's own agent (docs/protocol.md#turns). Pure. Never replaces one provider
 * with another.
 * @throws ContractError PROVIDER_NOT_FOUND, PROVIDER_UNAVAILABLE, GATEWAY_UNAVAILABLE, PROVIDER_AMBIGUOUS, INVALID_PARAMS (model, account)
 */
export function resolveRouting(routing: Routing, catalogue: readonly ProviderCapability[], terms: RoutingTerms = {}): RunProvider {
	const provider = choose(routing, catalogue, terms);
	if (!provider.available) throw unavailable(provider);
	if (terms.account !== undefined && provider.own !== "agent") {
		// Only the bridge's own agent uses the bridge's accounts.
		const own = catalogue.find(isOwnAgent);
		throw new ContractError("INVALID_PARAMS", {
			detail: `The agent ${provider.providerId} doesn't use XWorkmate's accounts, so it can't use ${terms.account} (metadata.xworkmateAssistant.authProfile).`,
			fix: own === undefined ? "Leave out the account." : `Choose the agent ${own.providerId}, or leave out the account.`,
		});
	}
	const { model } = routing;
	if (model !== undefined && provider.models !== undefined && !provider.models.includes(model)) {
		throw new ContractError("INVALID_PARAMS", {
			detail: `The agent ${provider.providerId} has no model ${model} (routing.model).`,
			fix: modelFix(provider.models),
		});
	}
	return { target: provider.target, providerId: provider.providerId, ...omitUndefined({ model }) };
}

/**
 * The routing of a message from a place where no agent can be chosen, such as Discord: the configured default, whatever its target. Without
 * a default, the bridge's own agent if it is available, because its answers are checked against receipts; otherwise only the target
 * `agent`. Pure.
 */
export function conversationRouting(
	catalogue: readonly ProviderCapability[],
	{ providerId }: Pick<RoutingTerms, "providerId"> = {},
): Routing {
	const preferred = catalogue.find((provider) => provider.providerId === providerId);
	const own = catalogue.find((provider) => isOwnAgent(provider) && provider.available);
	const chosen = providerId === undefined ? own : preferred;
	if (chosen === undefined) return { executionTarget: "agent" };
	return { executionTarget: chosen.target, providerId: chosen.providerId };
}

/** Names the models to choose from: only the first ones, because an agent may offer hundreds. Says so if it offers none. */
function modelFix(models: readonly string[]): string {
	if (models.length === 0) return "The agent offers no models. Leave out routing.model.";
	const more = models.length - SHOWN_MODELS;
	return `Choose one of: ${models.slice(0, SHOWN_MODELS).join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}

const SHOWN_MODELS = 12;
const SET_DEFAULT = "npm run -s xworkmate -- config set defaultProvider";

function choose(routing: Routing, catalogue: readonly ProviderCapability[], terms: RoutingTerms): ProviderCapability {
	if (routing.providerId !== undefined) return named(routing.providerId, routing, catalogue);
	const preferred = terms.providerId;
	if (preferred !== undefined) {
		const provider = find(preferred, catalogue, `Set the default to one of ${idsOf(catalogue)} with \`${SET_DEFAULT} ID\`.`);
		// A default for one target does not apply to the other.
		if (provider.target === routing.executionTarget) return provider;
	}
	return onlyAvailable(routing, catalogue);
}

function named(providerId: ProviderId, routing: Routing, catalogue: readonly ProviderCapability[]): ProviderCapability {
	const provider = find(providerId, catalogue);
	if (provider.target === routing.executionTarget) return provider;
	throw new ContractError("PROVIDER_NOT_FOUND", {
		detail: `The provider ${providerId} runs on the target ${provider.target}, not ${routing.executionTarget}.`,
		fix: `Send routing.executionTarget "${provider.target}", or another providerId.`,
	});
}

function find(
	providerId: ProviderId,
	catalogue: readonly ProviderCapability[],
	fix = `Choose one of ${idsOf(catalogue)}. \`npm run -s xworkmate -- doctor\` says which of them are ready.`,
): ProviderCapability {
	const provider = catalogue.find((candidate) => candidate.providerId === providerId);
	if (provider !== undefined) return provider;
	throw new ContractError("PROVIDER_NOT_FOUND", { detail: `There is no agent named ${providerId}.`, fix });
}

function isOwnAgent({ own }: ProviderCapability): boolean {
	return own === "agent";
}

function idsOf(catalogue: readonly ProviderCapability[]): string {
	return catalogue.map(({ providerId }) => providerId).join(", ");
}

function onlyAvailable(routing: Routing, catalogue: readonly ProviderCapability[]): ProviderCapability {
	const ofTarget = catalogue.filter(({ target }) => target === routing.executionTarget);
	// The programs' provider is always available, so it would always be a candidate. It is chosen only by name or as the default. The
	// bridge's own agent is chosen here only if no other agent is available.
	const there = ofTarget.filter(({ available, own }) => available && own !== "programs");
	const others = there.filter((provider) => !isOwnAgent(provider));
	const candidates = others.length === 0 ? there : others;
	const [only] = candidates;
	if (only !== undefined && candidates.length === 1) return only;
	if (only === undefined && routing.executionTarget === "gateway") throw noGateway(ofTarget);
	const ids = ofTarget.filter(({ available }) => available).map(({ providerId }) => providerId);
	const fix = `Choose one in routing.providerId${ids.length === 0 ? "" : ` (available: ${ids.join(", ")})`}, or set a default with \`${SET_DEFAULT} ID\`.`;
	if (only !== undefined) {
		const detail = `Several agents are available: ${candidates.map(({ providerId }) => providerId).join(", ")}.`;
		throw new ContractError("PROVIDER_AMBIGUOUS", { detail, fix });
	}
	const own = ofTarget.find(isOwnAgent)?.unavailable;
	throw new ContractError("PROVIDER_AMBIGUOUS", {
		detail: ["No agent was named, and none is available to choose automatically.", ...(own ? [own.message] : [])].join(" "),
		fix: own === undefined ? fix : `${fix} For the assistant: ${own.fix}`,
	});
}

function noGateway(ofTarget: readonly ProviderCapability[]): ContractError {
	const [first] = ofTarget;
	if (first !== undefined) return unavailable(first);
	return new ContractError("GATEWAY_UNAVAILABLE", { detail: gatewayNotSetUp.message, fix: gatewayNotSetUp.fix });
}

function unavailable({ providerId, target, unavailable: reason }: ProviderCapability): ContractError {
	return new ContractError(target === "gateway" ? "GATEWAY_UNAVAILABLE" : "PROVIDER_UNAVAILABLE", {
		detail: reason?.message ?? `The agent ${providerId} is not available.`,
		...(reason === undefined ? {} : { fix: reason.fix }),
	});
}
