import '#ui/styles/tokens.css';
