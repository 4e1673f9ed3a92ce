import { isAboutFile } from "./effects.ts";

/** Patterns of sentences that say that a file is attached, in eight languages. */
const ATTACHED: readonly RegExp[] = [
	/\battached,? (?:please find|you(?:'ll| will| can)? find|is|are)\b/,
	/\b(?:find|see|review|open|check) (?:\p{L}{1,20} )?(?:the |my |our |your )?attach(?:ed|ments?)\b|\bfind (?:[\p{L}\p{N}.-]{1,40} ){0,6}attached\b/u,
	/\b(?:find|see|is|are|it|them|sent|send|sending|included|added|check|open) (?:[\p{L}\p{N}.-]{1,40} ){0,6}(?:in the|as an?|as) attachments?\b(?! (?:of|to|from)\b)/u,
	/\benclosed,? (?:please find|you(?:'ll| will| can)? find|is|are)\b|\bfind (?:[\p{L}\p{N}.-]{1,40} ){0,6}enclosed\b/u,
	/\b(?:anbei|beiliegend|anliegend)\b/,
	/\b(?:find\p{L}{0,12}|sieh\p{L}{0,12}|sende|schicke|gesendet|geschickt|ist|sind|liegt|liegen|erh[aä]lt\p{L}{0,12}|hab\p{L}{0,12}) (?:[\p{L}\p{N}.-]{1,40} ){0,6}(?:im anhang|in der anlage|als anhang|als anlage)\b/u,
	/\b(?:im anhang|in der anlage) (?:find\p{L}{0,12}|sieh\p{L}{0,12}|ist|sind|liegt|liegen|befinde\p{L}{0,12}|erh[aä]lt\p{L}{0,12}|schick\p{L}{0,12}|send\p{L}{0,12})/u,
	/\bci[- ]jointe?s?\b|\b(?:en|dans la) pi[eè]ces? jointes?\b|\bpi[eè]ce jointe (?:contient|est)\b/u,
	/\b(?:te|le|les|os|lo|la|se) adjunt(?:o|amos|a|an)\b|\badjunt[oa]s? (?:encontrar|va|está|te|le|el|la|los|las)|\b(?:en|como) (?:el |un )?(?:archivo |documento )?adjunto\b/u,
	/\b(?:em|no|como) anexo\b|\banexo (?:está|encontra|segue|vai)|\bseguem? (?:o |a )?(?:\p{L}{1,20} )?anex[oa]/u,
	/\b(?:in|nell'|come|negli) ?allegat[oi]\b|\ballegat[oaie] (?:trov|invio|c'è|il|la|i|le)|\b(?:ti|le|vi) allego\b/u,
	/(?:见|看|查看|查收|参见|参阅|在|作为)(?:[^，。]{0,8})附件|附件(?:中|里|内|是|为|含|包含)|(?:已|随信|随函|一并)附上|随信附|已(?:作为)?附件|已添加附件|附加了/,
	/添付(?:し|いたし|致し|して|の通り|のとおり|済|されて|ファイルを?(?:ご|に|を))|同封/,
];
/** Patterns that count only if the sentence is about something that can be a file, unlike "the handler is attached". */
const ATTACHED_FILE: readonly RegExp[] = [
	/^ ?(?:attached|enclosed|attachments?|anhang|anlagen?|pi[eè]ces? jointes?|adjunt[oa]s?|anex[oa]s?|allegat[oi]) ?$/u,
	/^ ?(?:attached|enclosed) (?:the|my|your|an?|all|both|[\p{L}\p{N}_-]{1,60}\.[\p{L}\p{N}.]{2,20})(?:\s|$)/u,
	/^ ?(?:the|this|my|our) (?:attached|enclosed) \p{L}/u,
	/\b(?:i|we|xworkmate)(?:'ve| have)? (?:also |just |now )?(?:attached|enclosed)\b/,
	/\b(?:is|are|'s|'re|been) (?:also |now )?(?:attached|enclosed)\b/,
	/\b(?:hab\p{L}{0,12}|wurde\p{L}{0,12}|ist|sind) (?:[\p{L}\p{N}.-]{1,40} ){0,8}(?:angehängt|beigefügt|beigelegt)\b/u,
	/\b(?:j'ai|nous avons|est|sont) (?:[\p{L}\p{N}.-]{1,40} ){0,4}(?:joint|jointe|joints|jointes|annexée?s?)(?!\p{L})/u,
	/\b(?:he|hemos|ha|está|están) (?:sido )?(?:adjuntado|adjunt[oa]s?)\b|\badjunté(?!\p{L})/u,
	/\b(?:anexei|anexamos)\b|\b(?:está|estão|foi|foram) anexad[oa]s?\b/u,
	/\b(?:ho|abbiamo|è|sono) (?:stat[oaie] )?allegat[oaie]\b/u,
];
/** Words for things that are usually files, and pronouns that may refer to one. */
const DOCUMENT =
	/\b(?:it|them|this|pdf|csv|zip|reports?|invoices?|documents?|contracts?|spreadsheets?|summary|summaries|cop(?:y|ies)|photos?|pictures?|images?|screenshots?|charts?|presentations?|slides|receipts?|quotes?|letters?|agenda|minutes|notes|results|logs?|es|ihn|sie|bericht\p{L}*|rechnung\p{L}*|dokument\p{L}*|vertrag|verträge|tabelle\p{L}*|zusammenfassung|kopie\p{L}*|foto\p{L}*|bild\p{L}*|l'|le|la|les|rapport\p{L}*|facture\p{L}*|contrat\p{L}*|tableau\p{L}*|résumé|copie\p{L}*|image\p{L}*|informe\p{L}*|factura\p{L}*|documento\p{L}*|contrato\p{L}*|resumen|copia\p{L}*|imagen\p{L}*|relatório\p{L}*|fatura\p{L}*|resumo|cópia\p{L}*|imagem|rapporto|relazione|fattur\p{L}*|contratt\p{L}*|riassunto|immagin\p{L}*|tabella)(?!\p{L})/u;
/**
 * Words that show that the clause does not claim an attachment: it denies or plans one, makes one conditional, or is about what others
 * attached.
 */
const SILENT: readonly RegExp[] = [
	/\b(?:not|never|nor|cannot|nothing|no|could|would|should|shall|may|might|must|can|if|whether|unless|once|when|until|before|without|need|needs|want|wants|will|says|said|wrote|writes|asks|asked|by)\b|n't\b|'ll\b/,
	/\byou(?:'ve| have| had)? (?:just )?(?:attached|enclosed|sent|provided|uploaded|shared|gave)\b|\byour attach|\battached to (?!this\b)/,
	/\b(?:nicht|kein\p{L}*|ohne|wenn|falls|ob|sobald|bis|bevor|soll\p{L}*|kann|könnte\p{L}*|werde\p{L}*|deine\p{L}*|ihre[mnrs]?|pas|sans|si|quand|lorsque|aucune?|votre pièce|sin|cuando|hasta|ningún|ninguna|sem|se|quando|nenhum\p{L}*|non|senza|nessun\p{L}*)(?!\p{L})/u,
	/(?<!\p{L})(?:não|até)(?!\p{L})|[不没未无若请](?!查收|见|参|看)|如果|是否|您的附件|您附|你附|ません|ない|なかった|たら|れば|(?<!ご確認|ご覧|ご査収|ご参照)ください/u,
];
const FOUND = /\b(?:you(?:'ll| will| can)? find|please find|will find)\b/g;
const CLAUSE = /[;:()–—；：。]|\s-\s|\b(?:but|aber|mais|pero|mas|ma)\b/;

/** Whether a folded sentence says that a file is attached: "attached you will find the report". Pure. */
export function saysAttached(sentence: string): boolean {
	const isOfFile = DOCUMENT.test(sentence) || isAboutFile(sentence.split(/[\s,;:()"]+/).map((word) => word.replace(/[.!?]$/, "")));
	return sentence.split(CLAUSE).some((clause) => {
		if (!isIn(clause, ATTACHED) && !(isOfFile && isIn(clause, ATTACHED_FILE))) return false;
		// "You will find it attached" says that it is attached already.
		return !isIn(clause.replace(FOUND, " "), SILENT);
	});
}

function isIn(clause: string, patterns: readonly RegExp[]): boolean {
	return patterns.some((pattern) => pattern.test(clause));
}
