/** An expression that the analyzer flags or cannot parse, and why it is nevertheless linear on its input. */
export interface AllowedExpression {
	readonly path: string;
	/** Its source text. */
	readonly text: string;
	readonly reason: string;
}

export const allowedExpressions: readonly AllowedExpression[] = [
	{
		path: "app/src/text/visible-text.ts",
		text: "(\\p{RGI_Emoji})|[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\u2028\\u2029\\u115F\\u1160\\u3164\\uFFA0\\u00AD]|[\\uFE00-\\uFE0F]",
		reason: "The analyser does not know the v flag. Nothing repeats: each match is one character or one emoji of bounded length.",
	},
	{
		path: "app/src/ui/turn/thread-hint.ts",
		text: "(\\*\\*|\\*|`)(?=\\S)([^*`\\n]{1,100})(?<=\\S)\\1",
		reason: "A back-reference is beyond automata, so the verdict is a guess that changes. Each try looks at no more than 100 characters.",
	},
];
