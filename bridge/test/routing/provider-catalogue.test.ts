import { type ProviderFeatures, ProviderId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { Availability, Provider } from "../../src/ports/provider.ts";
import { ProviderCatalogue } from "../../src/routing/index.ts";

const features: ProviderFeatures = { approvals: false, followUp: false, resume: false, attachments: false };

function provider(id: string, rest: Pick<Provider, "test"> & { readonly availability?: Provider["availability"] }): Provider {
	const availability = async (): Promise<Availability> => ({ available: true });
	return {
		...{ providerId: ProviderId.parse(id), label: id, target: "agent", features, availability },
		...rest,
		runTurn: async () => ({ kind: "ended" }),
		releaseSession: async () => undefined,
		close: async () => undefined,
	};
}

it("tries one provider once for all who ask at the time, and says what came of it", async () => {
	let tries = 0;
	const { promise: gate, resolve: open } = Promise.withResolvers<void>();
	const test = async (): Promise<Availability> => {
		tries++;
		await gate;
		return { available: true, models: ["m"] };
	};
	const catalogue = new ProviderCatalogue([provider("a", { test })]);
	const both = [catalogue.test(ProviderId.parse("a")), catalogue.test(ProviderId.parse("a"))];
	open();
	for (const { provider } of await Promise.all(both)) expect(provider).toMatchObject({ providerId: "a", available: true, models: ["m"] });
	expect(tries).toBe(1);
	await catalogue.test(ProviderId.parse("a"));
	expect(tries).toBe(2);
});

it("asks one that cannot be tried whether it is there, and tells a failure of its own as one", async () => {
	const broken = provider("b", { test: () => Promise.reject(new Error("no disk")) });
	const catalogue = new ProviderCatalogue([provider("a", {}), broken]);
	expect(await catalogue.test(ProviderId.parse("a"))).toMatchObject({ provider: { available: true } });
	expect(await catalogue.test(ProviderId.parse("b"))).toMatchObject({ provider: { unavailable: { message: "No disk." } } });
	expect(() => catalogue.test(ProviderId.parse("c"))).toThrow(expect.objectContaining({ code: "PROVIDER_NOT_FOUND" }));
});
