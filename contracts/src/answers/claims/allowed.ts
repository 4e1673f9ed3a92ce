/** Patterns of sentences that say that the user allowed something, in eight languages. */
const ALLOWED: readonly RegExp[] = [
	/\byou(?:'ve| have| had)? (?:just |already |also |then )?(?:approved|allowed|permitted|authori[sz]ed|confirmed|consented|agreed|accepted|granted|okayed|said yes|let me)\b/,
	/\byou(?:'ve| have)? (?:gave|given) (?:me |us )?(?:your |the )?(?:permission|approval|consent|go-ahead|okay|ok)\b/,
	/\b(?:with|after|given|thanks to) your (?:explicit )?(?:permission|approval|consent|go-ahead|authori[sz]ation|confirmation|okay|ok)\b/,
	/\b(?:approved|allowed|permitted|authori[sz]ed|confirmed|granted) by (?:you|the user)\b/,
	/\buser (?:has )?(?:approved|allowed|permitted|authori[sz]ed|confirmed|granted)\b/,
	/\b(?:hast du|du hast|haben sie|sie haben|habt ihr|ihr habt) (?:(?:es|das|dies|dem|den|die) )?(?:\p{L}{1,40} )?(?:genehmigt|erlaubt|zugestimmt|zugelassen|freigegeben|bestätigt|bewilligt)(?!\p{L})/u,
	/\b(?:mit|nach) (?:deiner|ihrer|eurer) (?:erlaubnis|genehmigung|zustimmung|freigabe|bestätigung)\b/,
	/\b(?:von dir|von ihnen|vom nutzer|vom benutzer) (?:genehmigt|erlaubt|freigegeben|bestätigt)\b/,
	/\b(?:vous|tu) (?:l'|m'|me l')?(?:avez|as) (?:bien |déjà )?(?:approuvé|autorisé|accepté|permis|confirmé|validé)/,
	/\bavec (?:votre|ton) (?:accord|permission|autorisation|approbation|consentement)\b/,
	/(?:approuvé|autorisé|validé)e?s? par (?:vous|toi|l'utilisateur)\b/,
	/\b(?:has|ha|habéis|han) (?:aprobado|autorizado|permitido|aceptado|confirmado)\b/,
	/\b(?:aprobaste|autorizaste|permitiste|aceptaste|confirmaste)\b/,
	/\bcon (?:tu|su) (?:permiso|aprobación|autorización|consentimiento|confirmación)(?!\p{L})/u,
	/\bvocês? (?:já |me |o |a )?(?:aprovou|autorizou|permitiu|aceitou|confirmou|aprovaram|autorizaram)\b/,
	/\bcom (?:a |o )?(?:sua|seu|tua|teu) (?:permissão|aprovação|autorização|consentimento|confirmação)(?!\p{L})/u,
	/\b(?:l'hai|hai|l'ha|avete|l'avete) (?:già )?(?:approvat|autorizzat|permess|accettat|confermat)[oaie]\b/,
	/\bcon (?:il |la )?(?:tuo|tua|suo|sua|vostro|vostra) (?:permesso|approvazione|autorizzazione|consenso|conferma)\b/,
	/(?:您|你|用户)(?:已经|已|都|刚刚|刚)?(?:批准|同意|允许|授权|许可|确认)/,
	/经过?(?:您|你|用户)的?(?:批准|同意|允许|授权|许可|确认)/,
	/(?:承認|許可|同意|了承)[をが]?(?:いただ|頂|もら|得|され|して(?:いただ|くださ|くれ))/,
];
/** Words that show that the clause does not claim a permission: it denies or requests a permission, or makes one a condition. */
const SILENT: readonly RegExp[] = [
	/\b(?:not|never|nor|cannot|could|will|would|should|may|might|must|can|if|whether|unless|once|when|until|before|without|please|need|needs)\b|n't\b/,
	/\b(?:nicht|kein|keine|ohne|wenn|falls|ob|sobald|bis|bevor|bitte|pas|sans|si|quand|lorsque|avant|no|sin|cuando|hasta|antes|sem|se|quando|non|senza|prima)\b|\bn'/,
	/(?<!\p{L})(?:dès|não|até|finché)(?!\p{L})/u,
	/[不没未无若请]|如果|一旦|是否|ません|ない|なかった|たら|れば|なら|まで/,
];
const CLAUSE = /[,;:()—–，；：、。]|\s-\s|\b(?:so|but|and|aber|und|mais|et|pero|mas|ma)\b/;

/** Whether a folded sentence says that the user allowed something: "you approved it", "with your permission". Pure. */
export function saysAllowed(sentence: string): boolean {
	return sentence.split(CLAUSE).some((clause) => isIn(clause, ALLOWED) && !isIn(clause, SILENT));
}

function isIn(clause: string, patterns: readonly RegExp[]): boolean {
	return patterns.some((pattern) => pattern.test(clause));
}
