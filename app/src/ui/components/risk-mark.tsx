import type { Risk } from "@xworkmate/contracts";
import { Eye, type LucideIcon, Pencil, Trash2 } from "lucide-react";
import { riskWords } from "../../strings/calls/call-words.ts";
import { Icon } from "./icon.tsx";

const icons: Readonly<Record<Risk, LucideIcon>> = { read: Eye, write: Pencil, destructive: Trash2 };

/** The risk of a call. A higher risk stands out by its border and its weight, because colors are reserved for states. */
export function RiskMark({ risk }: { readonly risk: Risk }) {
	return (
		<span className={`risk risk-${risk}`}>
			<Icon of={icons[risk]} />
			{riskWords[risk].word}
		</span>
	);
}
