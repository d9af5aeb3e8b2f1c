// <GpuBudget view="memory" model="7B" gpu="a100-80gb-sxm">a link</GpuBudget> in a chapter: the calculator's element with the same attributes. The built page
// holds the element and the link in it; embed.js comes once, in the browser only, and makes the calculator of it. It takes language and theme from the page.
import React, { useEffect } from 'react';
import useDocusaurusContext from '@docusaurus/useDocusaurusContext';

export default function GpuBudget({ children, ...attributes }) {
  const { siteConfig } = useDocusaurusContext();
  const address = siteConfig.customFields.gpudget;
  useEffect(() => {
    if (document.getElementById('gpudget-embed')) return;
    const script = document.createElement('script');
    script.id = 'gpudget-embed';
    script.src = `${address}embed.js`;
    document.head.append(script);
  }, [address]);
  return (
    <gpu-budget {...attributes}>
      <a href={`${address}index.html`} target="_blank" rel="noopener">{children}</a>
    </gpu-budget>
  );
}
