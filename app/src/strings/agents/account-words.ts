import type { AuthProfileState, AuthProfileType, CoolingReason, ModelProvider } from "@xworkmate/contracts";

/** The provider of the models, as a heading and in sentences. */
export const makerWords: Readonly<Record<ModelProvider, string>> = { anthropic: "Anthropic", openai: "OpenAI and compatible servers" };

export const accountTypeWords: Readonly<Record<AuthProfileType, string>> = {
	api_key: "API key",
	token: "Claude subscription",
	oauth: "Another program’s sign-in",
	none: "No key needed",
};

export const accountStateWords: Readonly<Record<AuthProfileState, string>> = {
	ready: "Available",
	cooling: "Not used until {time}",
	expired: "Expired on {day}",
	missing: "No credential",
};

/** Why an account is not used for a while: its state, the consequence, and what to do. */
export const coolingWords: Readonly<Record<CoolingReason, { readonly state: string; readonly say: string; readonly fix?: string }>> = {
	rate_limited: { state: "Rate limited until {time}", say: "" },
	auth: { state: "Rejected", say: "may have been revoked or mistyped, skipped until {time}", fix: "Replace it" },
	billing: { state: "Out of credit", say: "skipped until {time}" },
};

/** Settings > Accounts. */
export const accountWords = {
	lead: "The assistant uses the first account that is available. If one stops working, the next takes over.",
	loading: "Loading accounts…",
	failed: "The accounts couldn’t be loaded.",
	again: "Try again",
	testAll: "Test all",
	testing: "Testing",
	add: "Add account",
	count: { one: "1 account, {ready} available", many: "{count} accounts, {ready} available" },
	from: "{type} from {variable}",
	server: "Server in {variable}, no credential needed",
	limitedFor: "Rate limited for {model} until {time}",
	expiredSay: "skipped",
	expiredFix: "Paste a new one",
	missingSay: "the variable isn’t set where the bridge runs, or doesn’t contain a credential",
	used: "last used {time}",
	neverUsed: "not used yet",
	answered: "answered in {time}, {at}",
	notAnswered: "Test failed",
	notAnsweredAt: "Test failed, {at}",
	test: "Test",
	testOf: "Test {account}",
	tested: "{account} works. The provider responded in {time}.",
	testFailed: "{account}: {problem}",
	remove: "Remove",
	removeOf: "Remove {account}",
	environment: "From the environment",
	environmentSay: "used if none of the accounts above is available",
	environmentOnly: "set where the bridge was started",
	kept: "Accounts are kept in a file on the bridge’s computer that only you can read. Keys and tokens are never shown again.",
	none: "No accounts yet",
	noneSay:
		"The assistant needs an Anthropic account, an OpenAI key, or a server with an OpenAI-compatible API. Script and the other agents don’t need an account here.",
	noneReady: "None of these accounts is available.",
	soonest: "{account} will be tried again first, at {time}.",
	noneComes: "None of them will become available on its own: replace one, or add another.",
	damaged: "The accounts file can’t be read.",
	openFolder: "Open data folder",
	order: {
		how: "Drag the handles to reorder, or press Space on one, move it with the arrow keys and press Space again. Esc cancels.",
		grip: "Move {account}, position {place} of {all}",
		lifted: "{account} lifted, position {place} of {all}. Move it with the arrow keys, drop it with Space, cancel with Esc.",
		moved: "{account}, position {place} of {all}",
		dropped: "{account} dropped at position {place} of {all}",
		notMoved: "The new order wasn’t saved. {account} is back at position {place} of {all}.",
		cancelled: "Move cancelled. {account} is back at position {place} of {all}.",
	},
	removing: {
		title: "Remove {account}?",
		key: "The credential is deleted from XWorkmate. It stays valid with the provider until you revoke it there.",
		variable: "XWorkmate will no longer use this account. The variable {variable} is not changed.",
		cancel: "Cancel",
		done: "Removed {account}",
	},
	adding: {
		title: "Add an account",
		replace: "Replace {account}",
		kind: "Account type",
		subscription: "Claude subscription",
		subscriptionSay: "Pro or Max, with a setup token",
		key: "Anthropic API key",
		keySay: "Pay as you go, from the Anthropic Console",
		openai: "OpenAI or a compatible server",
		openaiSay: "OpenAI, or any server with an OpenAI-compatible API",
		run: "Run this in a terminal on a computer where Claude Code is installed.",
		signIn: "Sign in when your browser opens, then copy the token that the terminal prints.",
		create: "Create a key in the Anthropic Console, under API keys, and copy it.",
		server:
			"For a server other than OpenAI’s, set its address where you start XWorkmate, then restart XWorkmate. A server that needs no key needs no account.",
		openaiCreate: "Create a key with OpenAI or your server’s provider, and copy it.",
		pasteToken: "Paste the setup token",
		pasteKey: "Paste the API key",
		variable: "Or type env:NAME to use the variable NAME of the bridge’s environment.",
		name: "Name (optional)",
		nameHint: "Letters and digits; after the first character, also . _ @ and -. The account becomes the first one tried for its provider.",
		nameWrong: "This name can’t be used.",
		isKey: "This is an API key, not a setup token.",
		saveAsKey: "Save it as an API key instead",
		isToken: "This is a setup token, not an API key.",
		saveAsToken: "Save it as a subscription instead",
		save: "Save and test",
		saving: "Saving…",
		cancel: "Cancel",
		saved: "Saved {account}. It is now the first account tried for its provider.",
		cleared: "The field was cleared.",
		goes: "Your credential is sent to the bridge, and from there only to the provider.",
	},
} as const;
