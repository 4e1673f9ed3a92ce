import { expect, it } from "vitest";
import { doctorFunctions } from "../../src/doctor/doctor-functions.ts";

/** What the page's doctor says when the bridge answers so about accounts. */
async function found(answer: () => Promise<object>) {
	const call = async (method: string) => (method === "xworkmate.auth.list" ? answer() : { integrations: [], operators: [] });
	const parts = { client: { call }, bridge: { ask: async () => ({}) }, diagnosis: { findings: async () => [] } };
	return doctorFunctions(parts as never).doctor();
}

it("the page's doctor names a default agent that does not exist", async () => {
	const settings = { settings: [{ key: "defaultProvider", source: "file", value: "nope" }] };
	const call = async (method: string) => (method === "xworkmate.settings.list" ? settings : Promise.reject(new Error("unknown method")));
	const bridge = { ask: async () => ({ capabilities: { providers: [] } }) };
	const parts = { client: { call }, bridge, diagnosis: { findings: async () => [] }, stored: { ownBridge: true } };
	expect(await doctorFunctions(parts as never).doctor()).toMatchObject([{ about: "default agent", state: "problem" }]);
});

it("the page's doctor says how the accounts are, and nothing of them for a bridge that has none", async () => {
	const problem = { code: "ACCOUNTS_DAMAGED", message: "It is not JSON.", fix: "Correct the file." };
	expect(await found(async () => ({ profiles: [], problem }))).toEqual([
		{ about: "accounts", state: "problem", message: "It is not JSON. (ACCOUNTS_DAMAGED)", fix: "Correct the file." },
	]);
	expect(await found(() => Promise.reject(new Error("unknown method")))).toEqual([]);
});
