import type { LucideIcon } from "lucide-react";

interface IconProps {
	readonly of: LucideIcon;
	readonly small?: boolean;
	readonly spin?: boolean;
	readonly className?: string;
}

/** An icon. It is hidden from screen readers, because words or a label say the same. */
export function Icon({ of: Picture, small = false, spin = false, className = "" }: IconProps) {
	return <Picture aria-hidden="true" className={`i ${small ? "sm" : ""} ${spin ? "spin" : ""} ${className}`} />;
}
