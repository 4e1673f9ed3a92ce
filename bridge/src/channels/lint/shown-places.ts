/** Invisible characters: between letters they would hide an address from these rules, but not from a reader. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const BETWEEN_WORDS = /[\s()<>[\]{}"'`“”‘’«»,;|*]+/u;
const DOMAIN = /^(?:[\p{L}\p{N}_-]{1,63}\.)+(?:\p{L}{2,63}|xn--[a-z0-9-]{1,59})$/iu;
const ADDRESS = /^(?:\d{1,3}\.){3}\d{1,3}$/;
/** Common extensions of file names. A bare word that ends in one is not taken for a host name. */
const FILE =
	/\.(?:js|jsx|ts|tsx|json|csv|pdf|txt|html|htm|xml|yaml|yml|toml|png|jpg|jpeg|gif|svg|webp|docx|xlsx|pptx|css|java|cpp|log|sql|mp3|mp4)$/i;
/** The greatest length of a place, in UTF-16 units. */
const LONGEST = 2_000;

/** The hosts and mail addresses that a text shows, in the form that `targetPlace` returns. */
export function shownPlaces(shown: string): readonly string[] {
	const words = shown.normalize("NFKC").replace(HIDDEN, "").split(BETWEEN_WORDS);
	return words.map(placeOf).filter((place) => place !== undefined);
}

/** Where a link leads: its host without `www.`, a mail address, the scheme if there is neither, or the target if it is not a URL. */
export function targetPlace(target: string): string {
	const url = urlOf(target);
	if (url === null) return target;
	if (url.protocol === "mailto:") return decoded(url.pathname).toLowerCase();
	return url.host === "" ? url.protocol : withoutWww(url.hostname);
}

/** A target as it opens from a message, which has no page that the target could be relative to. */
export function urlOf(target: string): URL | null {
	return URL.parse(target) ?? URL.parse(target, "https://relative.invalid");
}

function placeOf(word: string): string | undefined {
	const text = word.slice(0, LONGEST).replace(/^[^\p{L}\p{N}]{0,8}/u, "");
	const slashes = text.indexOf("://");
	const hasScheme = slashes !== -1;
	const rest = hasScheme ? text.slice(slashes + 3) : text.replace(/^mailto:/i, "");
	const [authority = ""] = rest.split(/[/\\?#]/);
	const host = authority
		.slice(authority.lastIndexOf("@") + 1)
		.replace(/:\d{0,5}$/, "")
		.replace(/[.!?:]{1,8}$/, "");
	if (!DOMAIN.test(host) && !ADDRESS.test(host)) return undefined;
	if (!hasScheme && authority.includes("@")) return mailPlace(authority);
	if (!hasScheme && rest === host && FILE.test(host)) return undefined;
	const url = URL.parse(`https://${host}`);
	return url === null ? undefined : withoutWww(url.hostname);
}

function mailPlace(address: string): string {
	return address.replace(/[.!?:]{1,8}$/, "").toLowerCase();
}

function withoutWww(host: string): string {
	return host.toLowerCase().replace(/^www\./, "");
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch (error) {
		if (error instanceof URIError) return text;
		throw error;
	}
}
