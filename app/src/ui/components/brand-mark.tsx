export function BrandMark() {
	return (
		<svg viewBox="0 0 24 24" aria-hidden="true">
			<rect x="1" y="1" width="22" height="22" rx="6" fill="var(--solid)" />
			<path
				d="M6.2 12.4 10 16.2 18 6.6M7 6.8l2.6 3.1M14.6 14.1l2.9 3.5"
				fill="none"
				stroke="var(--on-solid)"
				strokeWidth="2.4"
				strokeLinecap="round"
				strokeLinejoin="round"
			/>
		</svg>
	);
}
