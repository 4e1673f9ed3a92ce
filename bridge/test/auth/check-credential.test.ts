import { ContractError, type NewCredential } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { checkCredential } from "../../src/auth/check-credential.ts";
import { AccountScene, apiKey, setupToken } from "./account-scene.ts";

const token = (text: string): NewCredential => ({ type: "token", token: text });
const key = (text: string): NewCredential => ({ type: "api_key", key: text });

function refused(given: NewCredential, provider: "anthropic" | "openai" = "anthropic"): ContractError {
	try {
		checkCredential(given, { provider, isOwnAddress: true });
	} catch (error) {
		if (error instanceof ContractError) return error;
		throw error;
	}
	throw new Error("it was taken");
}

/** Pieces of a secret that are long enough to be of use. */
function pieces(text: string): readonly string[] {
	return Array.from({ length: Math.max(0, text.length - 15) }, (_, start) => text.slice(start, start + 16));
}

describe("[T1-76] a credential that was pasted wrong", () => {
	const half = setupToken.slice(0, 50);
	it.for([
		["an API key given as a token", token(apiKey), /API key, not a setup token/, /anthropic api-key/],
		["a token given as a key", key(setupToken), /setup token, not an API key/, /anthropic setup-token/],
		["half of it", token(half), /too short: .* has 50/, /Copy the whole credential again/],
		["another prefix", token(`sk-ant-ort01-${"a".repeat(90)}`), /begins with sk-ant-oat01-/, /claude setup-token/],
		["no prefix at all", token(setupToken.slice(20)), /begins with sk-ant-oat01-/, /claude setup-token/],
		["a line break inside", token(`${half}\n${setupToken.slice(50)}`), /line break in the middle/, /widen the terminal/],
		["a space inside", token(`${half} ${setupToken.slice(50)}`), /space in the middle/, /Copy the whole credential again/],
		[
			"an invisible character inside",
			token(`${half}\u200b${setupToken.slice(50)}`),
			/character that isn't allowed in a credential/,
			/Copy the whole credential again/,
		],
		[
			"letters that only look alike",
			token(setupToken.replace("Abc", "Аbc")),
			/character that isn't allowed in a credential/,
			/Copy the whole credential again/,
		],
		["quotation marks", token(`"${setupToken}"`), /begins or ends with a quotation mark/, /without quotation marks/],
		["pasted twice", token(setupToken + setupToken), /twice, or two/, /paste it once/],
		["two of them, a line each", token(`${setupToken}\n${apiKey}`), /twice, or two/, /paste it once/],
		["its variable with it", key(`ANTHROPIC_API_KEY=${apiKey}`), /other text in front/, /only the credential/],
		["the header with it", token(`Bearer ${setupToken}`), /other text in front/, /only the credential/],
		["nothing", token("  \n "), /The credential is empty/, /Copy the whole credential, then paste it/],
		["a key that is cut off", key(apiKey.slice(0, 30)), /too short/, /Copy the whole credential again/],
		["a key of another maker", key(`sk-proj-${"a".repeat(90)}`), /begins with sk-ant-/, /Console/],
		["the name of a variable that is none", key("env:my key"), /space in the middle/, /./],
		["the name of a variable with a dash", key("env:MY-KEY"), /not a valid variable name/, /env:ANTHROPIC_API_KEY/],
	] as const)("%s is refused in words of its own, without any of it", ([, given, detail, fix], { expect }) => {
		const error = refused(given);
		expect(error.code).toBe("CREDENTIAL_INVALID");
		expect(error.detail).toMatch(detail);
		expect(error.fix).toMatch(fix);
		const said = JSON.stringify(error.toWire()) + error.stack;
		const secret = given.type === "token" ? given.token : given.key;
		for (const piece of pieces(secret)) expect(said).not.toContain(piece);
	});

	it.for([
		["a key of Anthropic for another maker", key(apiKey), /Anthropic API key/],
		["a setup token for another maker", key(setupToken), /is for Anthropic/],
		["a token", token("abcdefghijkl"), /Setup tokens don't work/],
		["a key that could not be told from a word in a log", key("abc"), /too short/],
	] as const)("OpenAI gets %s: refused", ([, given, detail], { expect }) => {
		expect(refused(given, "openai").detail).toMatch(detail);
	});

	it("[T1-89] white space around it is taken off, and nothing else is changed", () => {
		const check = (given: NewCredential, isOwnAddress = true) => checkCredential(given, { provider: "anthropic", isOwnAddress });
		expect(check(token(`\r\n\t ${setupToken} \n`))).toEqual(token(setupToken));
		expect(check(key(` ${apiKey}\n`))).toEqual(key(apiKey));
		expect(check(key("env:WORK_KEY"))).toEqual(key("env:WORK_KEY"));
		expect(check(key("key-of-a-proxy"), false)).toEqual(key("key-of-a-proxy"));
		expect(checkCredential(key("local-key-1"), { provider: "openai", isOwnAddress: true })).toEqual(key("local-key-1"));
	});

	it("stores nothing of it", async () => {
		using scene = new AccountScene();
		await expect(scene.service.set({ provider: "anthropic", credential: token(half) })).rejects.toMatchObject({
			code: "CREDENTIAL_INVALID",
		});
		expect(scene.stored).toBeUndefined();
	});
});
