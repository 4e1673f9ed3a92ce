import { ContractError, type ModelProvider, type NewCredential } from "@xworkmate/contracts";
import { variableOf } from "./stored-accounts.ts";

const SETUP_TOKEN = "sk-ant-oat01-";
const SETUP_TOKEN_LENGTH = 80;
const API_KEY = "sk-ant-";
const API_KEY_LENGTH = 40;
/** Shorter strings are not recognized in logs, because they also occur in ordinary words. */
const SHORTEST = 8;
const COPY = "Copy the whole credential again, and paste it once.";
const AUTH = "npm run -s xworkmate -- auth";

export interface CheckedFor {
	readonly provider: ModelProvider;
	/** True if Anthropic's own address is used, so keys have a known form. */
	readonly isOwnAddress: boolean;
}

/**
 * The credential, without surrounding white space.
 * @throws ContractError CREDENTIAL_INVALID, which quotes no part of the credential
 */
export function checkCredential(given: NewCredential, { provider, isOwnAddress }: CheckedFor): NewCredential {
	const text = (given.type === "token" ? given.token : given.key).trim();
	checkPaste(text);
	if (text.startsWith("env:")) checkVariable(text);
	else if (given.type === "token") checkToken(text, provider);
	else checkKey(text, provider, isOwnAddress);
	return given.type === "token" ? { ...given, token: text } : { ...given, key: text };
}

/** Catches mistakes made in copying and pasting. */
function checkPaste(text: string): void {
	if (text === "") throw invalid("The credential is empty.", "Copy the whole credential, then paste it.");
	if ((text.match(/sk-[a-z]/g) ?? []).length > 1)
		throw invalid("The credential was pasted twice, or two credentials were pasted at once.", COPY);
	if (/["'`“”‘’]$|^["'`“”‘’]/.test(text))
		throw invalid("The credential begins or ends with a quotation mark.", "Paste the credential without quotation marks.");
	if (/^(?:export\s+)?[A-Z_]{3,}\s*=|^bearer\s/i.test(text))
		throw invalid(
			'There is other text in front of the credential, such as a variable name or "Bearer".',
			"Paste only the credential, without what comes before it.",
		);
	if (/[\r\n\u0085\u2028\u2029]/.test(text))
		throw invalid(
			"There is a line break in the middle of the credential.",
			"If you copied it from a terminal, widen the terminal until the credential fits on one line, then copy it again.",
		);
	if (/\s/.test(text)) throw invalid("There is a space in the middle of the credential.", COPY);
	if (!/^[\x21-\x7e]+$/.test(text))
		throw invalid("The credential contains a character that isn't allowed in a credential, perhaps an invisible one.", COPY);
}

function checkVariable(text: string): void {
	if (variableOf(text) === undefined)
		throw invalid(
			"The text after env: is not a valid variable name.",
			"Enter env: followed by the variable's name, such as env:ANTHROPIC_API_KEY.",
		);
}

function checkToken(text: string, provider: ModelProvider): void {
	if (provider === "openai")
		throw invalid("Setup tokens don't work with OpenAI's protocol.", `Add an API key instead: ${AUTH} openai api-key`);
	if (text.startsWith("sk-ant-api")) throw invalid("This is an API key, not a setup token.", `Add it as a key: ${AUTH} anthropic api-key`);
	if (!text.startsWith(SETUP_TOKEN))
		throw invalid(
			`A setup token begins with ${SETUP_TOKEN}, but this does not.`,
			"Run `claude setup-token`, and copy the token that it prints.",
		);
	if (text.length < SETUP_TOKEN_LENGTH)
		throw invalid(`This setup token is too short: it has ${text.length} characters, and must have at least ${SETUP_TOKEN_LENGTH}.`, COPY);
	if (!/^[\w-]+$/.test(text)) throw invalid("This setup token contains a character that no setup token can have.", COPY);
}

function checkKey(text: string, provider: ModelProvider, isOwnAddress: boolean): void {
	if (text.startsWith("sk-ant-oat")) {
		const detail = "This is a setup token, not an API key.";
		if (provider === "anthropic") throw invalid(detail, `Add it as a token: ${AUTH} anthropic setup-token`);
		throw invalid(`${detail} It is for Anthropic.`, `Add it as an Anthropic account: ${AUTH} anthropic setup-token`);
	}
	if (provider === "openai" && text.startsWith(API_KEY))
		throw invalid("This is an Anthropic API key.", `Add it as an Anthropic account: ${AUTH} anthropic api-key`);
	const hasForm = provider === "anthropic" && isOwnAddress;
	if (hasForm && !text.startsWith(API_KEY))
		throw invalid(`An Anthropic API key begins with ${API_KEY}, but this does not.`, "Copy the key from the Anthropic Console.");
	const least = hasForm ? API_KEY_LENGTH : SHORTEST;
	if (text.length < least)
		throw invalid(`This key is too short: a key has at least ${least} characters, but this one has ${text.length}.`, COPY);
}

function invalid(detail: string, fix: string): ContractError {
	return new ContractError("CREDENTIAL_INVALID", { detail, fix });
}
