import { CircleAlert, CircleCheck, Info, type LucideIcon } from "lucide-react";
import type { Finding } from "../../api/ui-api.ts";
import { CopyLine } from "../components/copy-line.tsx";
import { Icon } from "../components/icon.tsx";
import { findingName } from "../doctor/doctor-view.ts";
import { visibleName } from "../text/visible-text.ts";

const findingLooks: Readonly<Record<Finding["state"], { readonly icon: LucideIcon; readonly tone: string }>> = {
	ok: { icon: CircleCheck, tone: "st-ok" },
	note: { icon: Info, tone: "st-off" },
	problem: { icon: CircleAlert, tone: "st-bad" },
};

/** A finding of the doctor, with how to fix it. */
export function FindingRow({ finding: { about, state, message, fix } }: { readonly finding: Finding }) {
	const { icon, tone } = findingLooks[state];
	return (
		<li className="item">
			<div className="grow">
				<div className="nm">{visibleName(findingName(about))}</div>
				<div className="sub">
					<span className={`st wrap ${tone}`}>
						<Icon of={icon} />
						{visibleName(message)}
					</span>
				</div>
			</div>
			{fix !== undefined && (
				<div className="full">
					<CopyLine text={fix} />
				</div>
			)}
		</li>
	);
}
