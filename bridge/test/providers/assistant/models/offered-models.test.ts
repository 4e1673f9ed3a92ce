import { AuthProfileId, type ModelProvider } from "@xworkmate/contracts";
import { describe, expect, it, vi } from "vitest";
import type { Accounts, NoAccount } from "../../../../src/ports/models/accounts.ts";
import type { ModelClient } from "../../../../src/ports/models/model-client.ts";
import { ModelFailure } from "../../../../src/ports/models/model-client.ts";
import { OfferedModels } from "../../../../src/providers/assistant/models/offered-models.ts";

const credential = { type: "api_key", secret: "sk-test-000000000000" } as const;

/** Lists as it is told; each list is held until it is let go. */
class Server implements ModelClient {
	readonly provider: ModelProvider;
	asked = 0;
	lists: () => Promise<readonly string[]> = async () => ["big", "small"];

	constructor(provider: ModelProvider) {
		this.provider = provider;
	}

	ask(): never {
		throw new Error("nothing is asked here");
	}

	models(): Promise<readonly string[]> {
		this.asked++;
		return this.lists();
	}
}

function rig(providers: readonly ModelProvider[]) {
	const anthropic = new Server("anthropic");
	const openai = new Server("openai");
	const accounts: Accounts = {
		providers: async () => providers,
		problem: async () => undefined,
		open: async (provider) =>
			limit ?? {
				current: { profileId: AuthProfileId.parse(`${provider}:env`), provider, credential },
				succeeded: async () => {},
				failed: async () => ({ kind: "failed" }),
			},
	};
	let limit: NoAccount | undefined;
	const limited = { code: "PROVIDER_LIMITED", message: "Until noon." } as const;
	let time = 1_000_000;
	const clock = { now: () => time, at: () => ({ [Symbol.dispose]() {} }) };
	const offered = new OfferedModels(new Map([anthropic, openai].map((server) => [server.provider, server])), accounts, clock);
	const pass = (ms: number) => {
		time += ms;
	};
	const lack = () => {
		limit = limited;
	};
	return { offered, anthropic, openai, pass, lack };
}

describe("the models that are offered", () => {
	it("are there at once, and known a moment later", async () => {
		const { offered, anthropic, openai } = rig(["openai", "anthropic"]);
		expect(await offered.offered()).toEqual([]);
		await vi.waitFor(async () =>
			expect(await offered.offered()).toEqual(["openai/big", "openai/small", "anthropic/big", "anthropic/small"]),
		);
		expect([anthropic.asked, openai.asked]).toEqual([1, 1]);
	});

	it("wait for no server", async () => {
		const { offered, anthropic } = rig(["anthropic"]);
		anthropic.lists = () => new Promise(() => {});
		for (let asked = 0; asked < 5; asked++) expect(await offered.offered()).toEqual([]);
		expect(anthropic.asked).toBe(1);
	});

	it("are those of the makers with an account alone", async () => {
		const { offered, anthropic, openai } = rig(["openai"]);
		await offered.offered();
		await vi.waitFor(async () => expect(await offered.offered()).toEqual(["openai/big", "openai/small"]));
		expect([anthropic.asked, openai.asked]).toEqual([0, 1]);
	});

	it("are asked for again after a while, and kept while the server is gone", async () => {
		const { offered, anthropic, pass } = rig(["anthropic"]);
		await offered.offered();
		await vi.waitFor(async () => expect(await offered.offered()).toHaveLength(2));
		anthropic.lists = () => Promise.reject(new ModelFailure("network", "gone"));
		pass(11 * 60_000);
		await offered.offered();
		await vi.waitFor(() => expect(anthropic.asked).toBe(2));
		expect(await offered.offered()).toHaveLength(2);
		expect(anthropic.asked).toBe(2);
		anthropic.lists = async () => ["newer"];
		await vi.waitFor(async () => {
			pass(61_000);
			expect(await offered.offered()).toEqual(["anthropic/newer"]);
		});
	});

	it("are kept while all accounts are limited", async () => {
		const { offered, lack, pass } = rig(["anthropic"]);
		await offered.offered();
		await vi.waitFor(async () => expect(await offered.offered()).toHaveLength(2));
		lack();
		for (let asked = 0; asked < 5; asked++) {
			pass(11 * 60_000);
			expect(await offered.offered()).toHaveLength(2);
			await new Promise(setImmediate);
		}
	});
});
