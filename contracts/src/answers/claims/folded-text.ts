/** Letters that look like basic Latin letters, most of them from other scripts, each with its basic Latin counterpart. */
const LOOKALIKES = new Map(
	[..."аaеeоoрpсcуyхxіiѕsԁdһhјjқkтtмmнhвbкkгrпnԝwɡgαaοoνvιiρpτtκkηnυuχxεeсcɑaıiցgոnսuօoհhӏlｍm"].flatMap((letter, index, all) =>
		index % 2 === 0 ? [[letter, all[index + 1] ?? letter] as const] : [],
	),
);

const named: Readonly<Record<string, string>> = { nbsp: " ", amp: "&", quot: '"', apos: "'", lt: "<", gt: ">", shy: "", zwnj: "", zwj: "" };
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi;
const BREAK_TAG = /<(?:br|p|div|li)\b[^<>]{0,200}>/gi;
const TAG = /<\/?[a-z][^<>]{0,200}>/gi;
/** Hidden characters, and combining marks that NFKC has not joined to a letter. */
const UNSEEN = /[\p{Cf}\p{Mn}\p{Me}\u{115f}\u{1160}\u{3164}\u{ffa0}]/gu;
const PICTURES = /[\p{Extended_Pictographic}\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}]/gu;
const OTHER_SCRIPTS = /[\u{0131}\u{0251}\u{0261}\u{0370}-\u{058f}]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const ASCII = /^[\x00-\x7f]*$/;

/** A sentence as it reads, in lower case and without anything that could disguise its words. Pure. */
export function foldedText(sentence: string): string {
	let text = sentence;
	if (text.includes("&")) text = text.replace(ENTITY, decoded);
	if (text.includes("<")) text = text.replace(BREAK_TAG, " ").replace(TAG, "");
	if (!ASCII.test(text)) {
		text = text
			.normalize("NFKC")
			.replace(UNSEEN, "")
			.replace(PICTURES, " ")
			.replace(/[’‘ʼ′＇`´]/g, "'");
		text = text.toLowerCase().replace(OTHER_SCRIPTS, (letter) => LOOKALIKES.get(letter) ?? letter);
		// In lower case, `İ` becomes an `i` and a combining dot, which is removed.
		return text.replace(/\u{0307}/gu, "").replace(/[*_~`]/g, "");
	}
	return text.toLowerCase().replace(/[*_~`]/g, "");
}

function decoded(entity: string, decimal?: string, hexadecimal?: string, name?: string): string {
	if (name !== undefined) return named[name.toLowerCase()] ?? entity;
	const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal);
	return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? "" : String.fromCodePoint(code);
}
