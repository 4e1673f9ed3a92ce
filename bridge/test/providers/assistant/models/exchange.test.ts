import { describe, expect, it } from "vitest";
import { Exchange } from "../../../../src/providers/assistant/models/exchange/exchange.ts";
import { never, secret, useFakeModel } from "./model-rig.ts";

const fake = useFakeModel();

describe("an exchange", () => {
	it("lets one request through", async () => {
		using exchange = new Exchange({ secret, signal: never() });
		const url = `${fake().url}/v1/models`;
		await (await exchange.fetch(url)).text();
		await expect(exchange.fetch(url)).rejects.toMatchObject({ kind: "broken" });
		expect(await fake().requests()).toHaveLength(1);
	});

	it("sends no credential where there is none", async () => {
		using exchange = new Exchange({ secret: "", signal: never() });
		await exchange.fetch(`${fake().url}/v1/models`, {
			headers: { authorization: `Bearer ${secret}`, "x-api-key": secret, accept: "text/plain" },
		});
		const { headers } = (await fake().requests()).at(-1) ?? {};
		expect(headers).toMatchObject({ accept: "text/plain" });
		expect(JSON.stringify(headers)).not.toContain(secret);
	});
});
