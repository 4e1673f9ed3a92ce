import {
	ContractError,
	ExecutionTarget,
	gatewayNotSetUp,
	type OwnProvider,
	type ProviderCapability,
	ProviderId,
	Routing,
} from "@xworkmate/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { conversationRouting, resolveRouting } from "../../src/routing/index.ts";

const features = { approvals: true, followUp: true, resume: true, attachments: true };

const owns = new Map<string, OwnProvider>([
	["assistant", "agent"],
	["script", "programs"],
]);

function provider(id: string, change: Partial<ProviderCapability> = {}): ProviderCapability {
	const own = owns.get(id);
	return { providerId: ProviderId.parse(id), ...(own && { own }), label: id, target: "agent", available: true, features, ...change };
}

const absent = (message: string): Partial<ProviderCapability> => ({
	available: false,
	unavailable: { code: "PROVIDER_NOT_INSTALLED", message, fix: "Install it." },
});

function refusal(work: () => unknown): ContractError {
	try {
		work();
	} catch (error) {
		if (error instanceof ContractError) return error;
		throw error;
	}
	throw new Error("nothing was refused");
}

const agent = Routing.parse({ executionTarget: "agent" });
const gateway = Routing.parse({ executionTarget: "gateway" });
const goose = provider("goose");
const codex = provider("codex");
const script = provider("script");
const openclaw = provider("openclaw", { target: "gateway" });

describe("[T4-14] which provider runs a turn", () => {
	it("is the named one", () => {
		const routing = Routing.parse({ executionTarget: "agent", providerId: "script", model: "m" });
		expect(resolveRouting(routing, [goose, script])).toEqual({ target: "agent", providerId: "script", model: "m" });
	});

	it("is the only available one, other than the embedded one", () => {
		expect(resolveRouting(agent, [goose, script, provider("codex", absent("no")), openclaw]).providerId).toBe("goose");
		expect(resolveRouting(gateway, [goose, script, openclaw]).providerId).toBe("openclaw");
	});

	it("is the bridge's own agent only if there is no other", () => {
		const assistant = provider("assistant");
		expect(resolveRouting(agent, [assistant, script]).providerId).toBe("assistant");
		expect(resolveRouting(agent, [assistant, goose, script]).providerId).toBe("goose");
		expect(resolveRouting(agent, [assistant, provider("codex", absent("no")), script]).providerId).toBe("assistant");
		expect(refusal(() => resolveRouting(agent, [assistant, goose, codex])).code).toBe("PROVIDER_AMBIGUOUS");
	});

	it("is the configured default, of its own target", () => {
		expect(resolveRouting(agent, [goose, codex, script], { providerId: codex.providerId }).providerId).toBe("codex");
		expect(resolveRouting(agent, [goose, script], { providerId: script.providerId }).providerId).toBe("script");
		expect(resolveRouting(gateway, [goose, openclaw], { providerId: goose.providerId }).providerId).toBe("openclaw");
	});

	it("is asked for when several fit, or the embedded one alone", () => {
		const several = refusal(() => resolveRouting(agent, [goose, codex]));
		expect([several.code, several.detail]).toEqual(["PROVIDER_AMBIGUOUS", "Several agents are available: goose, codex."]);
		const alone = refusal(() => resolveRouting(agent, [script]));
		expect([alone.code, alone.fix]).toEqual([
			"PROVIDER_AMBIGUOUS",
			"Choose one in routing.providerId (available: script), or set a default with `npm run -s xworkmate -- config set defaultProvider ID`.",
		]);
	});

	it("says how to get the bridge's own agent when nothing else can be chosen", () => {
		const own = provider("assistant", absent("The assistant has no account yet."));
		const { detail, fix } = refusal(() => resolveRouting(agent, [own, script]));
		expect([detail, fix]).toEqual([
			"No agent was named, and none is available to choose automatically. The assistant has no account yet.",
			"Choose one in routing.providerId (available: script), or set a default with `npm run -s xworkmate -- config set defaultProvider ID`. For the assistant: Install it.",
		]);
		expect(refusal(() => resolveRouting(agent, [own, goose, codex])).fix).toMatch(/^Choose one/);
	});

	it("is known as the bridge's own by what it says of itself, not by its name", () => {
		const named = { ...provider("assistant"), own: "programs" as const };
		expect(refusal(() => resolveRouting(agent, [named])).code).toBe("PROVIDER_AMBIGUOUS");
		const foreign = { ...goose, providerId: script.providerId };
		expect(resolveRouting(agent, [{ ...codex, own: "agent" }, foreign]).providerId).toBe("script");
	});

	it("[T1-77] is refused if it uses none of the bridge's accounts and one is asked for: nothing else is charged for it", () => {
		const assistant = provider("assistant");
		const account = { account: "anthropic:work" };
		expect(resolveRouting(agent, [assistant, script], account).providerId).toBe("assistant");
		for (const [routing, catalogue] of [
			[agent, [assistant, goose]],
			[gateway, [openclaw]],
			[Routing.parse({ executionTarget: "agent", providerId: "script" }), [assistant, script]],
		] as const) {
			const { code, detail } = refusal(() => resolveRouting(routing, catalogue, account));
			expect([code, detail]).toEqual(["INVALID_PARAMS", expect.stringContaining("metadata.xworkmateAssistant.authProfile")]);
			expect(resolveRouting(routing, catalogue).providerId).not.toBe("assistant");
		}
	});

	it("is never replaced when it is unknown, unavailable, or of another target", () => {
		const named = (providerId: string, target = "agent") => Routing.parse({ executionTarget: target, providerId });
		const broken = provider("codex", absent("codex-acp is not on PATH"));
		const unavailable = refusal(() => resolveRouting(named("codex"), [goose, broken]));
		expect([unavailable.code, unavailable.detail, unavailable.fix]).toEqual([
			"PROVIDER_UNAVAILABLE",
			"codex-acp is not on PATH.",
			"Install it.",
		]);
		const unknown = refusal(() => resolveRouting(named("nope"), [goose, script]));
		expect([unknown.code, unknown.fix]).toEqual([
			"PROVIDER_NOT_FOUND",
			"Choose one of goose, script. `npm run -s xworkmate -- doctor` says which of them are ready.",
		]);
		expect(refusal(() => resolveRouting(named("goose", "gateway"), [goose])).code).toBe("PROVIDER_NOT_FOUND");
		expect(refusal(() => resolveRouting(agent, [goose, broken], { providerId: broken.providerId })).code).toBe("PROVIDER_UNAVAILABLE");
		expect(refusal(() => resolveRouting(agent, [goose], { providerId: codex.providerId })).code).toBe("PROVIDER_NOT_FOUND");
	});

	it("says that there is no gateway", () => {
		const none = refusal(() => resolveRouting(gateway, [goose]));
		expect([none.code, none.detail, none.fix]).toEqual(["GATEWAY_UNAVAILABLE", gatewayNotSetUp.message, gatewayNotSetUp.fix]);
		const down = refusal(() => resolveRouting(gateway, [provider("openclaw", { target: "gateway", ...absent("no answer") })]));
		expect([down.code, down.retryable, down.detail]).toEqual(["GATEWAY_UNAVAILABLE", true, "No answer."]);
	});

	it("refuses a model the provider does not have, where it says which it has", () => {
		const routing = Routing.parse({ executionTarget: "agent", model: "b" });
		expect(resolveRouting(routing, [goose]).model).toBe("b");
		const of = (models: string[]) => refusal(() => resolveRouting(routing, [provider("goose", { models })]));
		const error = of(["a", "c"]);
		expect([error.code, error.detail]).toEqual(["INVALID_PARAMS", "The agent goose has no model b (routing.model)."]);
		expect(error.fix).toBe("Choose one of: a, c.");
		expect(of([]).fix).toBe("The agent offers no models. Leave out routing.model.");
		const many = Array.from({ length: 500 }, (_, number) => `m${number}`);
		expect(of(many).fix).toBe("Choose one of: m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11 and 488 more.");
	});
});

const id = fc.constantFrom("script", "goose", "codex", "openclaw", "claude").map((text) => ProviderId.parse(text));
const target = fc.constantFrom(...ExecutionTarget.options);
const catalogue = fc.uniqueArray(
	fc.record({ providerId: id, target, available: fc.boolean() }).map((fields) => provider(fields.providerId, fields)),
	{ selector: ({ providerId }) => providerId },
);
const routing = fc.record({ executionTarget: target, providerId: id }, { requiredKeys: ["executionTarget"] });
const defaults = fc.record({ providerId: id }, { requiredKeys: [] });

it("only ever chooses an available provider of the target, the named one if one is named", () => {
	fc.assert(
		fc.property(routing, catalogue, defaults, (asked, providers, fallback) => {
			let chosen: ReturnType<typeof resolveRouting>;
			try {
				chosen = resolveRouting(asked, providers, fallback);
			} catch (error) {
				expect(error).toBeInstanceOf(ContractError);
				return;
			}
			const found = providers.find(({ providerId }) => providerId === chosen.providerId);
			expect(found).toMatchObject({ available: true, target: asked.executionTarget });
			expect(chosen.target).toBe(asked.executionTarget);
			if (asked.providerId !== undefined) expect(chosen.providerId).toBe(asked.providerId);
			else if (chosen.providerId === "script") expect(fallback.providerId).toBe("script");
		}),
	);
});

it("does not depend on the order of the catalogue", () => {
	fc.assert(
		fc.property(routing, catalogue, defaults, (asked, providers, fallback) => {
			const outcome = (list: readonly ProviderCapability[]) => {
				try {
					return resolveRouting(asked, list, fallback).providerId;
				} catch (error) {
					return error instanceof ContractError ? error.code : error;
				}
			};
			expect(outcome(providers.toReversed())).toEqual(outcome(providers));
		}),
	);
});

describe("who answers where no agent can be chosen, as on Discord", () => {
	const assistant = provider("assistant");
	const routed = (catalogue: readonly ProviderCapability[], providerId?: ProviderId) => {
		const defaults = providerId === undefined ? {} : { providerId };
		return resolveRouting(conversationRouting(catalogue, defaults), catalogue, defaults);
	};

	it("is the bridge's own agent if it is available, also beside others", () => {
		expect(routed([goose, assistant, codex, script, openclaw])).toEqual({ target: "agent", providerId: "assistant" });
		expect(routed([goose, provider("assistant", absent("no account")), script]).providerId).toBe("goose");
		expect(refusal(() => routed([provider("assistant", absent("no account")), script])).code).toBe("PROVIDER_AMBIGUOUS");
	});

	it("is the configured default, whatever its target, and nobody else in its place", () => {
		expect(routed([goose, assistant, openclaw], goose.providerId).providerId).toBe("goose");
		expect(routed([goose, assistant, openclaw], openclaw.providerId)).toEqual({ target: "gateway", providerId: "openclaw" });
		const away = [goose, assistant, provider("codex", absent("codex-acp is not on PATH"))];
		expect(refusal(() => routed(away, codex.providerId)).code).toBe("PROVIDER_UNAVAILABLE");
		expect(refusal(() => routed([goose, assistant], codex.providerId)).code).toBe("PROVIDER_NOT_FOUND");
	});
});
