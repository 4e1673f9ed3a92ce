const ADDRESS = /^[^@]{1,64}@[\p{L}\p{N}-]{1,63}\.[\p{L}\p{N}.-]{1,190}$/u;
/** Words before the address of the sender. */
const FROM: ReadonlySet<string> = new Set("from as via von als de depuis comme desde como da come".split(" "));
const TO =
	/\b(?:to|an|à|para|per)\s+([\p{L}\p{N}_%+-]+(?:\.[\p{L}\p{N}_%+-]+)*(?:@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*)?)(?:\s+([\p{L}\p{N}_-]{3,}))?/u;
const NO_NAME: ReadonlySet<string> = new Set(
	"the a all your you them everyone my our me him her it team die der das dem den alle le la les tous tout el los todos o os as il i gli".split(
		" ",
	),
);
/** A program that is given recipients as words without an option. */
const MAILS = /(?:^|[\n|/] ?)(?:mail|mailx|s-nail|mutt|neomutt|sendmail|msmtp)\s([^\n|]*)/u;
/** An option of such a program, with the value that follows it. */
const VALUE = /\s-[saArRSFfqHeiuo](?:\s+|(?=\S))(?:"[^"]*"|'[^']*'|\S+)/gu;

/** Whether a call with these recipients may have sent something to the recipient that a sentence names. Pure. */
export function reaches(called: readonly string[], recipient: string): boolean {
	const [first = "", second] = recipient.split(" ");
	if (called.length === 0 || NO_NAME.has(first)) return true;
	return called.some((one) => one.includes(first) || first.includes(one) || (second !== undefined && one.includes(second)));
}

/**
 * The recipients that a folded sentence names: each address, or else the name after "to". One empty name if the sentence names no
 * recipient.
 */
export function recipientsIn(sentence: string): readonly string[] {
	const addresses = addressesIn(sentence);
	if (addresses.length > 0) return addresses;
	const [, first = "", second] = TO.exec(sentence) ?? [];
	return [second === undefined ? first : `${first} ${second}`];
}

/** The recipients that the words of a call name; empty if the words name none, or if the call reads its recipients from elsewhere. Pure. */
export function recipientsOfCall(said: string): readonly string[] {
	const words = said.toLowerCase();
	const [, given] = MAILS.exec(words) ?? [];
	if (given !== undefined) {
		const [rest = ""] = ` ${given}`.replace(VALUE, " ").split(" <");
		return / -t(?:\s|$)/u.test(rest) ? [] : rest.split(/[\s,"']+/u).filter((word) => word !== "" && !/^[-$]/u.test(word));
	}
	const addresses = addressesIn(words);
	const [, named] = TO.exec(words) ?? [];
	return named === undefined || NO_NAME.has(named) ? addresses : [...addresses, named];
}

function addressesIn(text: string): readonly string[] {
	const words = text.split(/[\s"'“”‘’`()<>[\]{},;:=|]+/u).map((word) => (word.endsWith(".") ? word.slice(0, -1) : word));
	return words.filter((word, at) => ADDRESS.test(word) && !FROM.has(words[at - 1] ?? ""));
}
