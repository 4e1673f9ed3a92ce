/** A way to say that someone was told something, such as "let Anna know". */
interface ToldWords {
	readonly said: RegExp;
	/** The replacement: words from the lists of the same language, with `$1`, `$2` and `$&` as in String.replace. */
	readonly as: string;
}

/**
 * Patterns for sentences that say that someone was told something, or that something is now in someone's inbox. The agent may only have
 * read an inbox, so a sentence about an inbox counts only with a word for "now". What is in the inbox must be specific, such as "the
 * report", "report.pdf" or "all of them": "14 unread messages" describes the inbox. A sentence that goes on with "sent by Bob" says that
 * someone else sent it. "Let" denies a claim in other sentences, so it is replaced; other words stay, because they may deny the claim.
 */
export const toldWords: readonly ToldWords[] = [
	{
		said: /\b((?:i|we|i've|we've|ive|weve|xworkmate)(?: (?:have|has|also|just|already|now|then)){0,3}) let (?!(?:the user|the reader)\b)((?:(?!(?:who|whoever|that|which|those|i|you|me|us)\b)[\p{L}\p{N}.'-]{1,40},? ){1,6}?)know\b/gu,
		as: "$1 informed $2",
	},
	{
		said: /\b(?:is|are|it's|that's|they're) (?:now in (?:her|his|their|your|(?:the )?[\p{L}\p{N}.-]{1,40}'s?) (?:inbox|mailbox)(?:es)?|in (?:her|his|their|your|(?:the )?[\p{L}\p{N}.-]{1,40}'s?) (?:inbox|mailbox)(?:es)? now)\b(?![ ,;:(–—-]{1,4}(?:(?:it|that|which) was )?(?:(?:sent|delivered|forwarded) )?by (?!(?:me|us|the way)\b))/gu,
		as: "$& i've sent it",
	},
	{
		said: /\b(?:now (?:has|have)|(?:has|have) now)(?: got)? (?:(?:all|both)(?: of)? )?(?:(?:the|it|them|this|these|your|my|our|her|his|their|everything)|[\p{L}\p{N}_-]{1,40}\.[a-z][a-z\d]{1,4}) (?:[\p{L}\p{N}.'-]{1,40} ){0,8}?in (?:her|his|their) (?:inbox|mailbox)(?:es)?\b(?![ ,;:(–—-]{1,4}(?:(?:it|that|which) was )?(?:(?:sent|delivered|forwarded) )?by (?!(?:me|us|the way)\b))/gu,
		as: "$& i've sent it",
	},
	{
		said: /\b(?:has|have) (?:(?:all|both)(?: of)? )?(?:(?:the|it|them|this|these|your|my|our|her|his|their|everything)|[\p{L}\p{N}_-]{1,40}\.[a-z][a-z\d]{1,4}) (?:[\p{L}\p{N}.'-]{1,40} ){0,8}?in (?:her|his|their) (?:inbox|mailbox)(?:es)? now\b(?![ ,;:(–—-]{1,4}(?:(?:it|that|which) was )?(?:(?:sent|delivered|forwarded) )?by (?!(?:me|us|the way)\b))/gu,
		as: "$& i've sent it",
	},
	{
		said: /\b(?:ist|sind|liegt|liegen) (?:jetzt|nun) in (?:[\p{L}\p{N}.'-]{1,40} ){1,3}?(?:postfach|posteingang|postfächern)(?!\p{L})/gu,
		as: "$& habe ich gesendet",
	},
	{
		said: /(?<!\b(?:ich|wer|sie|wir) )\b(?:weiß|wissen) (?:jetzt|nun) bescheid\b/gu,
		as: "$& habe ich informiert",
	},
	{
		said: /\b(?:hat|haben) (?=(?:(?:jetzt|nun) )?(?:den|die|das|ihn|sie|es|alles|diese[nrs]?|(?:dein|euer|ihr|mein|unser|sein)(?:en?)?) )(?:[\p{L}\p{N}.'-]{1,40} ){0,5}?(?:jetzt|nun) (?:[\p{L}\p{N}.'-]{1,40} ){0,5}?in (?:ihrem|seinem|ihren) (?:postfach|posteingang|postfächern)(?!\p{L})/gu,
		as: "$& habe ich gesendet",
	},
	{
		said: /\b(?:est|sont) (?:maintenant|désormais) dans (?:[\p{L}\p{N}.'-]{1,40} ){0,3}?boîte (?:de réception|mail)(?!\p{L})/gu,
		as: "$& j'ai envoyé",
	},
	{
		said: /\b(?:a|ont) (?:maintenant|désormais) (?=l'|(?:l[ae]|les|tout|ce|cet|cette|ces|(?:[mts](?:on|a|es)|vo(?:tre|s)|no(?:tre|s))) )(?:[\p{L}\p{N}.'-]{1,40} ){1,8}?dans (?:sa|leur) boîte (?:de réception|mail)(?!\p{L})/gu,
		as: "$& j'ai envoyé",
	},
	{
		said: /\b(?:ya|ahora) (?:está|están) en (?:[\p{L}\p{N}.'-]{1,40} ){0,2}?(?:bandeja de entrada|buzón)(?!\p{L})/gu,
		as: "$& he enviado",
	},
	{
		said: /(?<!\busted )\b(?:ya|ahora) (?:tiene|tienen) (?=(?:el|l[ao]s?|todo|est[aeo]s?|[mst]us?|mis?|nuestr[ao]s?) )(?:[\p{L}\p{N}.'-]{1,40} ){1,8}?en su (?:bandeja de entrada|buzón)(?!\p{L})/gu,
		as: "$& he enviado",
	},
	{
		said: /\b(?:já|agora) (?:está|estão) na (?:[\p{L}\p{N}.'-]{1,40} )?caixa de entrada(?!\p{L})/gu,
		as: "$& enviei",
	},
	{
		said: /(?<!\bvocês? )\b(?:já|agora) (?:tem|têm) (?=(?:[ao]s?|tudo|ess[ae]s?|est[ae]s?|(?:seu|sua|meu|minha|noss[ao])s?) )(?:[\p{L}\p{N}.'-]{1,40} ){1,8}?na (?:sua )?caixa de entrada(?!\p{L})/gu,
		as: "$& enviei",
	},
	{
		said: /(?<!\p{L})(?:è|sono) (?:ora|adesso) nella (?:[\p{L}\p{N}.'-]{1,40} )?(?:casella(?: di posta)?|posta in arrivo)(?!\p{L})/gu,
		as: "$& ho inviato",
	},
	{
		said: /\b(?:ora|adesso) (?:ha|hanno) (?=l'|(?:il|l[aeo]|i|gli|tutto|quest[aeio]) )(?:[\p{L}\p{N}.'-]{1,40} ){1,8}?nella (?:sua|loro) (?:casella(?: di posta)?|posta in arrivo)(?!\p{L})/gu,
		as: "$& ho inviato",
	},
];
